import { storePages } from './pages.ts';
import { openPanel, type PanelOptions } from '../../engine/studio/panel.tsx';
import type { OfficeInPage } from '../../engine/studio/source.ts';

/** Shows the studio in a shadow root: see `openPanel`. */
export function showPanel(
  root: ShadowRoot,
  shop: OfficeInPage | string,
  options?: PanelOptions,
): () => void {
  return openPanel(storePages, root, shop, options);
}
