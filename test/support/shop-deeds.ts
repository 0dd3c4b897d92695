import fc from 'fast-check';
import type { Order } from '../../src/shop/models/order.ts';
import { PaymentOutcome } from '../../src/shop/models/script-rule.ts';
import { card } from './checkout-steps.ts';
import {
  fillCart,
  openShop,
  takeStep,
  type BackOffice,
  type MachineName,
  type Step,
} from './checkout.ts';

const { machines, steps } = openShop().checkout;

/** An action of a customer, a bank, a storekeeper or the clock on a shop. */
export type Deed =
  | { readonly do: 'open'; readonly variant: number; readonly quantity: number }
  | {
      readonly do: 'add';
      readonly order: number;
      readonly variant: number;
      readonly quantity: number;
    }
  | { readonly do: 'take out' | 'coupon' | 'no coupon' | 'next'; readonly order: number }
  | { readonly do: 'step'; readonly order: number; readonly step: Step }
  | { readonly do: 'pay'; readonly order: number; readonly outcome: PaymentOutcome }
  | {
      readonly do: 'move';
      readonly machine: MachineName;
      readonly id: number;
      readonly name: string;
    }
  | {
      readonly do: 'go on';
      readonly machine: MachineName;
      readonly id: number;
      readonly choice: number;
    }
  | { readonly do: 'stock'; readonly variant: number; readonly on_hand: number }
  | { readonly do: 'wait'; readonly time: string };

const id = fc.integer({ min: 1, max: 4 });
const variant = fc.integer({ min: 1, max: 3 });
const quantity = fc.integer({ min: 1, max: 3 });
const machine = fc.constantFrom(...Object.values(machines).map(({ name }) => name));
const moves = Object.values(machines).flatMap((one) =>
  one.transitions.map(({ name }) => ({ machine: one.name, name })),
);

function often<Value>(weight: number, arbitrary: fc.Arbitrary<Value>) {
  return { weight, arbitrary };
}

/** Generates actions, most of which are possible. */
export const deeds: fc.Arbitrary<Deed[]> = fc.array(
  fc.oneof(
    often(2, fc.record({ do: fc.constant('open' as const), variant, quantity })),
    often(1, fc.record({ do: fc.constant('add' as const), order: id, variant, quantity })),
    often(
      3,
      fc.record({
        do: fc.constantFrom('take out' as const, 'coupon' as const, 'no coupon' as const),
        order: id,
      }),
    ),
    often(8, fc.record({ do: fc.constant('next' as const), order: id })),
    often(
      2,
      fc.record({ do: fc.constant('step' as const), order: id, step: fc.constantFrom(...steps) }),
    ),
    often(
      3,
      fc.record({
        do: fc.constant('pay' as const),
        order: id,
        outcome: fc.constantFrom(...PaymentOutcome.options),
      }),
    ),
    often(
      3,
      fc
        .tuple(id, fc.constantFrom(...moves))
        .map(([record, move]) => ({ do: 'move' as const, id: record, ...move })),
    ),
    often(8, fc.record({ do: fc.constant('go on' as const), machine, id, choice: fc.nat(9) })),
    often(1, fc.record({ do: fc.constant('stock' as const), variant, on_hand: fc.nat(4) })),
    often(
      1,
      fc.record({ do: fc.constant('wait' as const), time: fc.constantFrom('PT10M', 'PT2H') }),
    ),
  ),
  { maxLength: 60, size: 'max' },
);

/** @throws Problem if the action is not possible */
export function perform(shop: BackOffice, deed: Deed): void {
  switch (deed.do) {
    case 'open':
      fillCart(shop, [{ id: deed.variant, price: 333, quantity: deed.quantity }]);
      return;
    case 'move':
      shop.checkout.transition(deed.machine, deed.id, deed.name);
      return;
    case 'go on':
      goOn(shop, deed);
      return;
    case 'stock':
      shop.checkout.setStock({
        stock_location_id: 1,
        variant_id: deed.variant,
        on_hand: deed.on_hand,
      });
      return;
    case 'wait':
      shop.clock.advance(deed.time);
      return;
    default: {
      const order = shop.db.orders.get(deed.order);
      if (order !== undefined) performOn(shop, order, deed);
    }
  }
}

function performOn(shop: BackOffice, order: Order, deed: Extract<Deed, { order: number }>): void {
  switch (deed.do) {
    case 'add': {
      const { variant: variant_id, quantity: pieces } = deed;
      shop.checkout.addItem(order.id, { variant_id, unit_price: 250, quantity: pieces });
      return;
    }
    case 'take out': {
      const item = shop.db.orderItems.first('order', order.id);
      if (item !== undefined) shop.checkout.removeItem(order.id, item.id);
      return;
    }
    case 'coupon':
      shop.checkout.useCoupon(order.id, 'HELLO');
      return;
    case 'no coupon':
      shop.checkout.removeCoupon(order.id, 'HELLO');
      return;
    case 'next': {
      const step = shop.checkout.awaited(order.id);
      if (step !== undefined) takeStep(shop, order, step);
      return;
    }
    case 'step':
      takeStep(shop, order, deed.step);
      return;
    case 'pay':
      pay(shop, order, deed.outcome);
  }
}

/** Applies one of the possible transitions of a record. */
function goOn(shop: BackOffice, deed: Extract<Deed, { do: 'go on' }>): void {
  const open = shop.checkout
    .listTransitions(deed.machine, deed.id)
    .filter(({ possible }) => possible);
  const chosen = open[deed.choice % open.length];
  if (chosen !== undefined) shop.checkout.transition(deed.machine, deed.id, chosen.transition);
}

function pay(shop: BackOffice, order: Order, outcome: PaymentOutcome): void {
  const settle = { after: 'PT15M', outcome: 'approved' } as const;
  shop.script.add({ on: 'purchase', outcome, ...(outcome === 'pending' && { settle }) });
  try {
    shop.checkout.purchase(order.id, card);
  } finally {
    shop.script.clear();
  }
}
