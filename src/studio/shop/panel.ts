import { storePages } from './pages.ts';
import { openPanel, type PanelOptions } from '../panel.tsx';
import type { OfficeInPage } from '../source.ts';

/** Shows the studio in a shadow root: see `openPanel`. */
export function showPanel(
  root: ShadowRoot,
  shop: OfficeInPage | string,
  options?: PanelOptions,
): () => void {
  return openPanel(storePages, root, shop, options);
}
