import { onDemand } from '../lib/on-demand.ts';

/** The recorder and the explanations of requests, which a page loads while its worker starts. */
export const historyParts = onDemand(() => import('./history-and-reasons.ts'));
