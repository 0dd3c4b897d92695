import type { ComponentType } from 'preact';
import { composer } from './rooms.ts';
import { useAsync } from './ui.tsx';

/** Returns a view whose script is loaded when the view is first shown. */
export function lazyView<Properties extends object>(
  load: () => Promise<ComponentType<Properties>>,
): ComponentType<Properties> {
  let known: ComponentType<Properties> | undefined;
  return (properties) => {
    const loaded = useAsync(async () => (known ??= await load()), []);
    const View = known ?? loaded;
    return View === undefined ? <p class="card" aria-busy="true" /> : <View {...properties} />;
  };
}

/** A request that can be changed and sent. */
export const Composer = lazyView(composer);
