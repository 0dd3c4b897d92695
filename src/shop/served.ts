import type { ApiDefinition } from '../engine/definition/api.ts';
import { onDemand } from '../engine/lib/on-demand.ts';
import { storeServed } from './control/index.ts';

/** What the store has for servers and the control API. */
export const served = onDemand(storeServed);

const load = () => import('./command-only.ts');

/** What commands and reports need of the store, and pages do without. */
export const commandParts: Pick<ApiDefinition, 'neverShown' | 'workflows' | 'drift'> = {
  // A GET of such a checkout is refused, and each step leads further.
  neverShown: new Set(['OrderInCheckout.state=abandoned', 'OrderInCheckout.checkout_state=cart']),
  workflows: async () => (await load()).workflows,
  drift: async () => (await load()).drift,
};
