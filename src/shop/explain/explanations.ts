import { machines } from '../checkout/machines/transition.ts';
import type { EngineShop, Explanations } from '../../engine/definition/api.ts';
import type { Fact } from '../../engine/definition/explanation.ts';
import { isObject } from '../../engine/lib/json-value.ts';
import { addDuration } from '../../engine/lib/duration.ts';
import { truncate } from '../../engine/lib/problem.ts';
import { orderInPath, orderKnownBy } from '../order-in-path.ts';
import { storeShop } from '../resources/endpoint.ts';
import { explainOrder } from './order.ts';
import { triedScript } from './script.ts';
import { transitionsOf } from './next-transitions.ts';
import { explainStock } from './stock.ts';
import { deedOf, taskOf } from './deed.ts';
import { dateTime, money } from './words.ts';

/** Returns the explanations of the store. */
export function explanations(): Explanations {
  return {
    table: 'orders',
    record: explainOrder,
    others: (work) => ({
      order(id: number, at?: number) {
        const explain = () => explainOrder(work.shop, id);
        return at === undefined ? explain() : work.within(at, explain);
      },
      stock: (variant: number) => explainStock(work.shop, variant, work.history()),
    }),
    transitions: (shop, machine, id) =>
      Object.values(machines)
        .filter(({ name }) => name === machine)
        .flatMap((one) => transitionsOf(storeShop(shop), one.name, id)),
    due,
    dueNoun({ machine, from }) {
      if (machine === 'order') return from === 'cart' ? 'cart' : 'order';
      return machine === 'shipment' ? 'parcel' : machine.replace('_', ' ');
    },
    success: totalLine,
    deed: deedOf,
    task: taskOf,
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

/** Returns the total of the order that a response shows, or that its path names. */
function totalLine(
  engine: EngineShop,
  { url, answer }: { readonly url: string; readonly answer: { readonly body?: unknown } },
): string | undefined {
  const { id, checkout_state } = isObject(answer.body) ? answer.body : {};
  const shown = checkout_state === undefined ? '' : String(id);
  const order = orderKnownBy(engine, orderInPath(url) || shown);
  if (storeShop(engine).db.orders.get(order) === undefined) return undefined;
  const { total, currency, lines } = explainOrder(engine, order);
  const parts = lines.filter(({ applied, counts }) => applied && counts);
  const sum = parts.map(({ label, amount }) => `${label} ${money(amount)}`).join(' + ');
  return truncate(`total ${money(total)} ${currency}${sum === '' ? '' : `: ${sum}`}`, 400);
}
