import style from '#pages/studio-style.json' with { type: 'json' };
import { effect } from '@preact/signals';
import { render } from 'preact';
import type { ApiPages } from './api-pages.ts';
import { App } from './app.tsx';
import { httpSource } from './http-source.ts';
import { officeSource, type OfficeInPage } from './source.ts';
import * as views from './views.ts';
import { createStudio, StudioProvider } from './studio.ts';

export interface PanelOptions {
  /** The first page: `data/users`. */
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
  const sheet = new CSSStyleSheet();
  sheet.replaceSync((style as readonly string[]).join(''));
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  // In a section, the header is not that of the app's page.
  const page = document.createElement('section');
  page.className = 'studio';
  page.ariaLabel = 'Backlot';
  root.append(page);
  const source = typeof shop === 'string' ? httpSource(shop) : officeSource(shop);
  const studio = createStudio(source, pages, views);
  const { router } = studio;
  router.followLinks(root);
  if (show !== undefined) router.go(show);
  render(
    <StudioProvider value={studio}>
      <App />
    </StudioProvider>,
    page,
  );
  const stop = onShow && effect(() => onShow(router.hrefWith({}).slice(2)));
  return () => {
    stop?.();
    render(null, page);
    page.remove();
  };
}
