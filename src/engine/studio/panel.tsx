import { render } from 'preact';
import { App } from './app.tsx';
import { httpSource } from './http-source.ts';
import { followLinks } from './route.ts';
import { officeSource, type OfficeInPage } from './source.ts';
import { panelStyle } from './style.ts';

/**
 * Shows the studio in a shadow root.
 *
 * @param shop a back office in the page, or the URL in front of `/_backlot/`
 * @returns the function that removes it
 */
export function showPanel(root: ShadowRoot, shop: OfficeInPage | string): () => void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(inPixels(panelStyle()));
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  const page = document.createElement('div');
  page.className = 'studio';
  root.append(page);
  followLinks(root);
  const source = typeof shop === 'string' ? httpSource(shop) : officeSource(shop);
  render(<App source={source} />, page);
  return () => {
    render(null, page);
    page.remove();
  };
}

/** The unit rem has the size that the other page gives to its own texts. */
function inPixels(style: string): string {
  return style.replaceAll(/([\d.]+)rem\b/g, (_text, size: string) => `${Number(size) * 14}px`);
}
