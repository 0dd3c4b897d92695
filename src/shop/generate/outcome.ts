import { approvedCard, declinedCard, lastFour, outcomeOfCard } from '../checkout/payment.ts';
import {
  type InventoryState,
  checkoutSteps,
  type CheckoutState,
  type OrderState,
} from '../models/order.ts';
import type { PaymentState } from '../models/payment.ts';
import type { ShipmentState } from '../models/shipment.ts';
import { hasReached, rankOf, stages, type Event, type Stage } from './lifecycle.ts';
import { stepTime, type Plan } from './plan.ts';

/** A state, and the time of the last write to its record in seconds since 1970. */
interface Dated<State> {
  readonly state: State;
  readonly at: number;
}

/** The final states of an order and its records. Its units share one state, and so do its shipments and its payments. */
export interface OrderOutcome {
  readonly order: Dated<OrderState>;
  readonly checkout: CheckoutState;
  readonly units: Dated<InventoryState>;
  readonly shipments: Dated<ShipmentState>;
  readonly payment: Dated<PaymentState> & { readonly card?: string; readonly reason?: string };
}

/**
 * Returns the states of a planned order at `now`: those that the state machines of the checkout lead to.
 *
 * @param isExpired whether its cart is abandoned by now
 * @param expiry when its cart expires, in seconds since 1970
 */
export function outcomeOf(plan: Plan, isExpired: boolean, expiry: number): OrderOutcome {
  const cart = cartAt(plan);
  if (!hasReached(plan, 'confirm')) return isExpired ? abandoned(cart, expiry + 1) : cart;
  const confirmed = confirmedAt(cart, stepTime(plan, 'confirm'));
  const checkedOut = hasReached(plan, 'purchase') ? purchased(confirmed, plan) : confirmed;
  return plan.later.reduce((outcome, { event, at }) => events[event](outcome, at), checkedOut);
}

/** The stages of a cart, and the `checkout_state` at each. */
const cartStates = new Map<Stage, CheckoutState>([
  ['cart', 'cart'],
  ...checkoutSteps.slice(0, rankOf('confirm') - 1).map(({ name, to }) => [name, to] as const),
]);
const lastCartStage = stages[rankOf('confirm') - 1] ?? 'cart';

function cartAt(plan: Plan): OrderOutcome {
  const stage = hasReached(plan, 'confirm') ? lastCartStage : plan.until;
  return {
    order: { state: 'cart', at: stepTime(plan, stage) },
    checkout: cartStates.get(stage) ?? 'cart',
    units: {
      state: 'checkout',
      at: stepTime(plan, hasReached(plan, 'shipping') ? 'shipping' : 'cart'),
    },
    shipments: { state: 'checkout', at: stepTime(plan, 'shipping') },
    payment: { state: 'new', at: stepTime(plan, 'payment') },
  };
}

/** An expired cart. It is abandoned one second after it expires. */
function abandoned(cart: OrderOutcome, at: number): OrderOutcome {
  return {
    ...cart,
    order: { state: 'abandoned', at },
    shipments: { state: 'cancelled', at },
    payment: { ...cart.payment, state: 'void', at },
  };
}

function confirmedAt(cart: OrderOutcome, at: number): OrderOutcome {
  return {
    ...cart,
    order: { state: 'pending', at },
    checkout: 'finalize',
    units: { state: 'onhold', at },
    shipments: { state: 'onhold', at },
  };
}

/** The results of a purchase, by card number. */
const purchases = new Map(
  [approvedCard, declinedCard].map((number) => [
    number,
    { card: lastFour({ number }), ...outcomeOfCard({ number }) },
  ]),
);

function purchased(confirmed: OrderOutcome, plan: Plan): OrderOutcome {
  const at = stepTime(plan, 'purchase');
  const { card, outcome, reason } = purchases.get(plan.card)!;
  if (outcome === 'approved') {
    return paid({ ...confirmed, payment: { ...confirmed.payment, card } }, at);
  }
  const payment = {
    state: 'failed',
    at,
    card,
    ...(reason !== undefined && { reason }),
  } as const;
  return { ...confirmed, payment };
}

function paid(outcome: OrderOutcome, at: number): OrderOutcome {
  return {
    order: { state: 'confirmed', at },
    checkout: 'completed',
    units: { state: 'sold', at },
    shipments: { state: 'ready', at },
    payment: { ...outcome.payment, state: 'completed', at },
  };
}

const events: Readonly<Record<Event, (outcome: OrderOutcome, at: number) => OrderOutcome>> = {
  complete: paid,
  release: (outcome, at) => ({
    ...outcome,
    order: { state: 'released', at },
    units: { state: 'checkout', at },
    shipments: { state: 'checkout', at },
    payment:
      outcome.payment.state === 'new' ? { ...outcome.payment, state: 'void', at } : outcome.payment,
  }),
  ship: (outcome, at) => ({
    ...outcome,
    order: { state: 'shipped', at },
    shipments: { state: 'shipped', at },
  }),
  cancel: (outcome, at) => ({
    ...outcome,
    order: { state: 'cancelled', at },
    units: { state: 'returned', at },
    shipments: { state: 'cancelled', at },
  }),
  return: (outcome, at) => ({
    ...outcome,
    order: { state: 'returned', at },
    units: { state: 'returned', at },
    shipments: { state: 'returned', at },
  }),
  refund: (outcome, at) => ({
    ...outcome,
    payment: { ...outcome.payment, state: 'refunded', at },
  }),
};
