import { render } from 'preact';
import type { ApiPages } from './api-pages.ts';
import { App } from './app.tsx';
import { httpSource } from './http-source.ts';
import { hrefTo } from './route.ts';
import * as views from './views.ts';
import { createStudio, StudioProvider } from './studio.ts';

/** Shows the studio of the server that the page comes from. */
export function startStudio(pages: ApiPages): void {
  // The URL in front of `/_backlot/`. A page in a frame has a base URL instead of one of its own.
  const root = document.baseURI.replace(/\/_backlot(\/(docs\/?)?)?([?#].*)?$/s, '');
  const studio = createStudio(httpSource(root), pages, views);
  if (/\/docs\/?$/.test(location.pathname) && location.hash === '')
    history.replaceState(null, '', hrefTo('docs'));
  // A document of `srcdoc` cannot change its URL.
  if (location.protocol === 'about:') studio.router.followLinks(document);
  else studio.router.startHashRoutes();
  const page = (
    <StudioProvider value={studio}>
      <App />
    </StudioProvider>
  );
  const show = (): void => render(page, document.body);
  // A text whose font arrives later moves what follows it.
  void document.fonts.load('13px Inter').then(show, show);
}
