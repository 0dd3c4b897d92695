import { onDemand } from '../engine/lib/on-demand.ts';
import { storeServed } from './control/index.ts';

/** What the store has for servers and the control API. */
export const served = onDemand(storeServed);
