import type { NextTransition } from '../../engine/definition/explanation.ts';
import { listTransitions, type MachineName } from '../checkout/machines/transition.ts';
import type { Shop } from '../resources/endpoint.ts';

/**
 * Returns the transitions of a record: possible ones with the request that applies them, and others with the reason why not.
 *
 * @throws Problem `missing`
 */
export function transitionsOf(shop: Shop, machine: MachineName, id: number): NextTransition[] {
  return listTransitions(shop, machine, id).map((one) => ({
    ...one,
    ...(one.possible && {
      request: {
        method: 'POST',
        url: `/_backlot/transitions/${machine}/${id}`,
        body: { transition: one.transition },
      },
    }),
  }));
}
