import { render } from 'preact';
import { App } from './app.tsx';
import { httpSource } from './http-source.ts';
import { followLinks, go } from './route.ts';
import { officeSource, type OfficeInPage } from './source.ts';
import { panelStyle } from './style.ts';

/**
 * Shows the studio in a shadow root.
 *
 * @param shop a back office in the page, or the URL in front of `/_backlot/`
 * @param show what it shows first: `orders/1`
 * @returns the function that removes it
 */
export function showPanel(
  root: ShadowRoot,
  shop: OfficeInPage | string,
  show?: string,
): () => void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(panelStyle());
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  const page = document.createElement('div');
  page.className = 'studio';
  root.append(page);
  followLinks(root);
  if (show !== undefined) go(show);
  const source = typeof shop === 'string' ? httpSource(shop) : officeSource(shop);
  render(<App source={source} />, page);
  return () => {
    render(null, page);
    page.remove();
  };
}
