import type { ComponentType } from 'preact';
import { useStudio, type Studio } from './studio.ts';
import { useAsync } from './ui.tsx';

/** Returns a view whose script is loaded when the view is first shown. */
export function lazyView<Properties extends object>(
  load: (studio: Studio) => Promise<ComponentType<Properties>>,
): ComponentType<Properties> {
  let known: ComponentType<Properties> | undefined;
  return (properties) => {
    const studio = useStudio();
    const loaded = useAsync(async () => (known ??= await load(studio)), []);
    const View = known ?? loaded;
    return View === undefined ? <p class="card" aria-busy="true" /> : <View {...properties} />;
  };
}

/** A request that can be changed and sent. */
export const Composer = lazyView(({ views }) => views.composer());
