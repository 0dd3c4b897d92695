import { effect } from '@preact/signals';
import { render } from 'preact';
import { showApi, type ApiPages } from './api-pages.ts';
import { App } from './app.tsx';
import { attach } from './calls.ts';
import { httpSource } from './http-source.ts';
import { followLinks, go, hrefWith } from './route.ts';
import { officeSource, type OfficeInPage } from './source.ts';
import { panelStyle } from './style.ts';

export interface PanelOptions {
  /** What it shows first: `data/users`. */
  readonly show?: string | undefined;
  /** Receives what it shows, when that changes. */
  readonly onShow?: ((shown: string) => void) | undefined;
}

/**
 * Shows the studio in a shadow root.
 *
 * @param pages what it shows of its API
 * @param shop a back office in the page, or the URL in front of `/_backlot/`
 * @returns the function that removes it
 */
export function openPanel(
  pages: ApiPages,
  root: ShadowRoot,
  shop: OfficeInPage | string,
  { show, onShow }: PanelOptions = {},
): () => void {
  showApi(pages);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(panelStyle());
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  // In a section, the header is not that of the app's page.
  const page = document.createElement('section');
  page.className = 'studio';
  page.ariaLabel = 'Backlot';
  root.append(page);
  followLinks(root);
  if (show !== undefined) go(show);
  attach(typeof shop === 'string' ? httpSource(shop) : officeSource(shop));
  render(<App />, page);
  const stop = onShow && effect(() => onShow(hrefWith({}).slice(2)));
  return () => {
    stop?.();
    render(null, page);
    page.remove();
  };
}
