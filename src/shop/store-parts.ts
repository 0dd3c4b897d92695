import { onDemand } from '../engine/lib/on-demand.ts';

/** The parts that few back offices need for their first response: a page loads them while its worker starts. */
export const storeParts = onDemand(() => import('./explanations-and-orders.ts'));

/** The part of the store for servers and the control API, which a page loads with its first request to the control API. */
export const control = onDemand(async () => (await import('./control/index.ts')).storeControl);
