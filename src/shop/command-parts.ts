import type { ApiDefinition } from '../engine/definition/api.ts';

const load = () => import('./command-only.ts');

/** What commands and reports need of the store, and pages do without. */
export const commandParts: Pick<ApiDefinition, 'neverShown' | 'workflows' | 'drift'> = {
  // A GET of such a checkout is refused, and each step leads further.
  neverShown: new Set(['OrderInCheckout.state=abandoned', 'OrderInCheckout.checkout_state=cart']),
  workflows: async () => (await load()).workflows,
  drift: async () => (await load()).drift,
};
