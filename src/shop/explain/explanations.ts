import { machines, type MachineName } from '../../checkout/machines/transition.ts';
import type { EngineShop, Explanations } from '../../definition/api.ts';
import type { Fact } from '../../definition/explanation.ts';
import { addDuration } from '../../lib/duration.ts';
import { storeShop } from '../../resources/endpoint.ts';
import { explainOrder } from './order.ts';
import { triedScript } from './script.ts';
import { explainStock } from './stock.ts';
import { dateTime } from './words.ts';

/** Returns what the store says of its records. */
export function explanations(): Explanations {
  return {
    order: explainOrder,
    stock: explainStock,
    transitions: (shop, machine, id) =>
      machines[machine as MachineName].listTransitions(storeShop(shop), id),
    due,
    script: triedScript,
  };
}

/** Carts are abandoned and unpaid orders released by the clock; payments that settle are in the script. */
function due(engine: EngineShop, machine: string, id: number, transition: string): Fact[] {
  const { db, settings } = storeShop(engine);
  const order = machine === 'order' ? db.orders.get(id) : undefined;
  if (order === undefined) return [];
  const { cartLifetime, pendingLifetime } = settings;
  const fact = (setting: string, lifetime: string, at: string): Fact => ({
    wanted: `paid before ${dateTime(at)}`,
    actual: `${setting} ${lifetime} passed`,
    met: false,
    record: { table: 'orders', id },
  });
  if (transition === 'abandon') return [fact('cartLifetime', cartLifetime, order.expires_at)];
  if (transition !== 'release' || pendingLifetime === undefined) return [];
  return [
    fact(
      'pendingLifetime',
      pendingLifetime,
      addDuration(order.completed_at ?? order.created_at, pendingLifetime),
    ),
  ];
}
