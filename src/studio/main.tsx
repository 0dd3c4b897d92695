import { render } from 'preact';
import { App } from './app.tsx';
import { httpSource } from './http-source.ts';
import { startHashRoutes } from './route.ts';

/** The URL in front of `/_backlot/`. A page in a frame has a base URL instead of one of its own. */
const root = document.baseURI.replace(/\/_backlot(\/[^?#]*)?([?#].*)?$/, '');

startHashRoutes();
render(<App source={httpSource(root)} />, document.body);
