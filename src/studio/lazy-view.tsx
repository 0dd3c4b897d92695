import type { ComponentType } from 'preact';
import { useAsync } from './ui.tsx';

/** Returns a view whose script is loaded when the view is first shown. */
export function lazyView<Properties extends object>(
  load: () => Promise<ComponentType<Properties>>,
): ComponentType<Properties> {
  return (properties) => {
    const View = useAsync(load, []);
    return View === undefined ? <p class="card" aria-busy="true" /> : <View {...properties} />;
  };
}
