import { lastFour, outcomeOfCard } from '../../checkout/card.ts';
import type { InventoryState } from '../../models/inventory-unit.ts';
import type { CheckoutState, OrderState } from '../../models/order.ts';
import type { PaymentState } from '../../models/payment.ts';
import type { ShipmentState } from '../../models/shipment.ts';
import { badCard, goodCard, ranks, type Event } from './life.ts';
import type { Plan } from './plan.ts';

/** A state, and since when in seconds: when the record was last written to. */
interface Since<State> {
  readonly state: State;
  readonly at: number;
}

/** Where an order and all that belongs to it stand in the end. Its units, its shipments and its payments go together. */
export interface OrderOutcome {
  readonly order: Since<OrderState>;
  readonly checkout: CheckoutState;
  readonly units: Since<InventoryState>;
  readonly shipments: Since<ShipmentState>;
  readonly payment: Since<PaymentState> & { readonly card?: string; readonly reason?: string };
}

/**
 * Where a plan leads to by now: what the state machines of the checkout would make of it.
 *
 * @param isExpired whether its cart would be abandoned by now
 * @param expiry when it would expire, in seconds since 1970
 */
export function outcomeOf(plan: Plan, isExpired: boolean, expiry: number): OrderOutcome {
  const reached = ranks[plan.until];
  const carted = cartAt(plan, Math.min(reached, 3));
  if (reached < 4) return isExpired ? abandoned(carted, expiry + 1) : carted;
  const confirmed = confirmedAt(carted, plan.at + 4 * plan.pace);
  const bought = reached < 5 ? confirmed : purchased(confirmed, plan);
  return plan.later.reduce((standing, { event, at }) => events[event](standing, at), bought);
}

const checkoutStates = ['cart', 'addressing', 'shipping', 'payment'] as const;

function cartAt({ at, pace }: Plan, stage: number): OrderOutcome {
  return {
    order: { state: 'cart', at: at + stage * pace },
    checkout: checkoutStates[stage] ?? 'cart',
    units: { state: 'checkout', at: at + (stage >= 2 ? 2 * pace : 0) },
    shipments: { state: 'checkout', at: at + 2 * pace },
    payment: { state: 'new', at: at + 3 * pace },
  };
}

/** An expired cart; the shop notices in the second after. */
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

/** What becomes of purchases with the cards that customers have. */
const purchases = new Map(
  [goodCard, badCard].map((number) => [
    number,
    { card: lastFour({ number }), ...outcomeOfCard({ number }) },
  ]),
);

function purchased(standing: OrderOutcome, plan: Plan): OrderOutcome {
  const moment = plan.at + 5 * plan.pace;
  const { card, outcome, reason } = purchases.get(plan.card)!;
  if (outcome === 'approved') {
    return paid({ ...standing, payment: { ...standing.payment, card } }, moment);
  }
  const payment = {
    state: 'failed',
    at: moment,
    card,
    ...(reason !== undefined && { reason }),
  } as const;
  return { ...standing, payment };
}

function paid(standing: OrderOutcome, at: number): OrderOutcome {
  return {
    order: { state: 'confirmed', at },
    checkout: 'completed',
    units: { state: 'sold', at },
    shipments: { state: 'ready', at },
    payment: { ...standing.payment, state: 'completed', at },
  };
}

const events: Readonly<Record<Event, (standing: OrderOutcome, at: number) => OrderOutcome>> = {
  complete: paid,
  release: (standing, at) => ({
    ...standing,
    order: { state: 'released', at },
    units: { state: 'checkout', at },
    shipments: { state: 'checkout', at },
    payment:
      standing.payment.state === 'new'
        ? { ...standing.payment, state: 'void', at }
        : standing.payment,
  }),
  ship: (standing, at) => ({
    ...standing,
    order: { state: 'shipped', at },
    shipments: { state: 'shipped', at },
  }),
  cancel: (standing, at) => ({
    ...standing,
    order: { state: 'cancelled', at },
    units: { state: 'returned', at },
    shipments: { state: 'cancelled', at },
  }),
  return: (standing, at) => ({
    ...standing,
    order: { state: 'returned', at },
    units: { state: 'returned', at },
    shipments: { state: 'returned', at },
  }),
  refund: (standing, at) => ({
    ...standing,
    payment: { ...standing.payment, state: 'refunded', at },
  }),
};
