import { expect, test } from 'vitest';
import { PaymentOutcome } from '../../src/shop/models/script-rule.ts';
import { restoreDatabase, stateOf, type DatabaseState } from '../../src/engine/store/database.ts';
import {
  fillCart,
  openShop,
  problemOf,
  sell,
  type BackOffice,
  type MachineName,
  stock,
} from '../support/checkout.ts';
import { perform, type Deed } from '../support/shop-deeds.ts';

const { machines } = openShop().checkout;

const tables = {
  order: 'orders',
  payment: 'payments',
  shipment: 'shipments',
  inventory_unit: 'inventoryUnits',
} as const;

interface Stated {
  readonly machine: MachineName;
  readonly id: number;
  readonly state: string;
}

/** All records with a state machine, and their states. */
function recordsWithState({ db }: BackOffice): Stated[] {
  return Object.values(machines).flatMap(({ name: machine }) =>
    db[tables[machine]].page(0, Infinity).map((row) => ({
      machine,
      id: row.id,
      state: 'inventory_state' in row ? row.inventory_state : row.state,
    })),
  );
}

/** Returns a key that identifies the situation of a shop with one order. */
function situationOf(shop: BackOffice): string {
  const { on_hand, on_hold } = shop.db.stockItems.get(1)!;
  const states = recordsWithState(shop).map(({ machine, state }) => `${machine} ${state}`);
  return [shop.db.orders.get(1)?.checkout_state, ...states, on_hand, on_hold].join(', ');
}

/** Tries every transition of every record from the present state; returns the states after those that are possible. */
function tryTransitions(shop: BackOffice): DatabaseState[] {
  const here = stateOf(shop.shop.db);
  return recordsWithState(shop).flatMap(({ machine, id }) =>
    shop.checkout
      .listTransitions(machine, id)
      .flatMap(({ transition: name, to, possible, reason }) => {
        const problem = problemOf(() => shop.checkout.transition(machine, id, name));
        expect(problem?.message).toBe(reason);
        const there = stateOf(shop.shop.db);
        if (possible) {
          expect(recordsWithState(shop)).toContainEqual({ machine, id, state: to });
        } else {
          expect(problem?.kind).toBe('refused');
          const keys = Object.keys(here);
          expect(keys.filter((key) => there[key]?.rows !== here[key]?.rows)).toEqual([]);
        }
        restoreDatabase(shop.shop.db, here);
        return possible ? [there] : [];
      }),
  );
}

/** Tries the operations of customer, payment provider and stock, with at most one attempt to pay. */
function tryOperations(shop: BackOffice): DatabaseState[] {
  const here = stateOf(shop.shop.db);
  const isPaying = shop.db.orders.get(1)?.checkout_state === 'finalize';
  const canPay = shop.db.payments.get(1)?.state === 'new';
  const deeds: Deed[] = [
    ...(isPaying ? [] : [{ do: 'next', order: 1 } as const]),
    ...(canPay ? PaymentOutcome.options.map((outcome) => pay(outcome)) : []),
    { do: 'stock', variant: 1, on_hand: 0 },
    { do: 'stock', variant: 1, on_hand: 1 },
  ];
  return deeds.flatMap((deed) => {
    const problem = problemOf(() => perform(shop, deed));
    const there = stateOf(shop.shop.db);
    restoreDatabase(shop.shop.db, here);
    return problem === undefined ? [there] : [];
  });
}

function pay(outcome: PaymentOutcome): Deed {
  return { do: 'pay', order: 1, outcome };
}

test(
  'in every reachable situation of an order, every transition follows its table, or is rejected and changes nothing',
  { tags: 'long' },
  () => {
    const shop = openShop();
    const teapot = sell(shop);
    stock(shop, teapot, 1);
    fillCart(shop, [teapot]);
    const known = new Set([situationOf(shop)]);
    const states = new Set<string>();
    const open = [stateOf(shop.shop.db)];
    for (let here = open.pop(); here !== undefined; here = open.pop()) {
      restoreDatabase(shop.shop.db, here);
      for (const { machine, state } of recordsWithState(shop)) states.add(`${machine} ${state}`);
      for (const there of [...tryTransitions(shop), ...tryOperations(shop)]) {
        restoreDatabase(shop.shop.db, there);
        const situation = situationOf(shop);
        if (!known.has(situation)) open.push(there);
        known.add(situation);
        restoreDatabase(shop.shop.db, here);
      }
    }
    const all = Object.values(machines).flatMap((machine) =>
      machine.states.map((state) => `${machine.name} ${state}`),
    );
    // No transition leads there, and nothing in the shop does: only a record that is loaded can be in that state.
    expect(all.filter((state) => !states.has(state))).toEqual(['shipment pending']);
    expect(known.size).toBeGreaterThan(100);
  },
);
