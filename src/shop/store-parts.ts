import { onDemand } from '../engine/lib/on-demand.ts';

/** What few back offices of the store need for their first response: a page loads it while its worker starts. */
export const storeParts = onDemand(() => import('./explanations-and-orders.ts'));

/** What the store has for servers and the control API: a page loads it with the first request to the control API. */
export const control = onDemand(async () => (await import('./control/index.ts')).storeControl);
