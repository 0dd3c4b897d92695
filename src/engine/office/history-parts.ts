import { onDemand } from '../lib/on-demand.ts';

/** What records and explains requests: a page loads it while its worker starts. */
export const historyParts = onDemand(() => import('./history-and-reasons.ts'));
