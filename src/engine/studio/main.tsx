import { render } from 'preact';
import { App } from './app.tsx';
import { httpSource } from './http-source.ts';
import { followLinks, hrefTo, startHashRoutes } from './route.ts';

/** The URL in front of `/_backlot/`. A page in a frame has a base URL instead of one of its own. */
const root = document.baseURI.replace(/\/_backlot(\/(docs\/?)?)?([?#].*)?$/, '');

if (/\/docs\/?$/.test(location.pathname) && location.hash === '')
  history.replaceState(null, '', hrefTo('docs'));
// A document of `srcdoc` cannot change its URL.
if (location.protocol === 'about:') followLinks(document);
else startHashRoutes();
render(<App source={httpSource(root)} />, document.body);
