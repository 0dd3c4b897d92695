import { render } from 'preact';
import { showApi, type ApiPages } from './api-pages.ts';
import { App } from './app.tsx';
import { attach } from './calls.ts';
import { httpSource } from './http-source.ts';
import { followLinks, hrefTo, startHashRoutes } from './route.ts';

/** Shows the studio of the server that the page comes from. */
export function startStudio(pages: ApiPages): void {
  showApi(pages);
  if (/\/docs\/?$/.test(location.pathname) && location.hash === '')
    history.replaceState(null, '', hrefTo('docs'));
  // A document of `srcdoc` cannot change its URL.
  if (location.protocol === 'about:') followLinks(document);
  else startHashRoutes();
  // The URL in front of `/_backlot/`. A page in a frame has a base URL instead of one of its own.
  const root = document.baseURI.replace(/\/_backlot(\/(docs\/?)?)?([?#].*)?$/, '');
  attach(httpSource(root));
  // A text whose font arrives later moves what follows it.
  void document.fonts.load('13px Inter').then(show, show);
}

function show(): void {
  render(<App />, document.body);
}
