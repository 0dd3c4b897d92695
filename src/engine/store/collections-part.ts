import { onDemand } from '../lib/on-demand.ts';

/** Creates collections of @msw/data, which loads all that `fetch` of Node.js consists of: few tests read `office.db`. */
export const collections = onDemand(() => import('./collections.ts'));
