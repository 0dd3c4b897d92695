import { approvedCard, declinedCard } from '../checkout/payment.ts';
import { stepNames, type StepName } from '../models/order.ts';
import { cumulate, type Random } from './random.ts';

/** An event after the checkout. It applies to the order, to all its shipments or to all its payments. */
export type Event = 'complete' | 'release' | 'cancel' | 'ship' | 'return' | 'refund';

/** How far the checkout of an order gets: an open cart, or the last step that is submitted. */
export const stages: readonly Stage[] = ['cart', ...stepNames];
export type Stage = 'cart' | StepName;

/** Returns the number of steps that have been submitted at a stage. */
export function rankOf(stage: Stage): number {
  return stages.indexOf(stage);
}

/** The last step of an order's checkout, and the events after it. */
export interface Lifecycle {
  readonly until: Stage;
  readonly card: string;
  readonly later: readonly LaterEvent[];
}

export interface LaterEvent {
  /** Seconds since 1970. */
  readonly at: number;
  readonly event: Event;
}

const hour = 3600;
const day = 24 * hour;

/** Weights of the results: abandoned, never paid, declined, paid. */
const resultWeights = cumulate([20, 2, 1, 77]);

/** Weights of the stages at which carts are abandoned. */
const abandonmentWeights = cumulate(
  stages.slice(0, rankOf('confirm')).map((_, at) => [45, 25, 18][at] ?? 12),
);

/** The checkout of an order. Times are in seconds since 1970, `pace` is in seconds. */
interface CheckoutPlan {
  readonly at: number;
  readonly pace: number;
  readonly now: number;
  /** Whether the order can be shipped and paid. */
  readonly isPurchasable: boolean;
  readonly byCard: boolean;
}

/** Whether an order reaches a step of the checkout. */
export function hasReached({ until }: Pick<Lifecycle, 'until'>, stage: Stage): boolean {
  return rankOf(until) >= rankOf(stage);
}

/** Whether an order is paid with a card at the purchase step. */
export function isPaidByCard({ until, card }: Pick<Lifecycle, 'until' | 'card'>): boolean {
  return until === 'purchase' && card === approvedCard;
}

/** Draws the lifecycle of an order at random, without the events that are later than `now`. */
export function lifecycleOf(random: Random, checkout: CheckoutPlan): Lifecycle {
  const { at, pace, now, isPurchasable } = checkout;
  const lifecycle = isPurchasable ? drawLifecycle(random, checkout) : lifecycleUntil('cart');
  const steps = Math.floor((now - at) / pace);
  if (rankOf(lifecycle.until) > steps) return lifecycleUntil(stages[steps] ?? 'cart');
  const isPast = (event: LaterEvent): boolean => event.at <= now;
  const { later } = lifecycle;
  return later.every(isPast) ? lifecycle : { ...lifecycle, later: later.filter(isPast) };
}

function drawLifecycle(random: Random, checkout: CheckoutPlan): Lifecycle {
  const result = random.draw(resultWeights);
  if (result === 0) return lifecycleUntil(stages[random.draw(abandonmentWeights)] ?? 'cart');
  const { at, pace, byCard } = checkout;
  const confirmed = at + rankOf('confirm') * pace;
  const release = confirmed + random.between(7 * day, 11 * day);
  if (result === 1) return lifecycleUntil('confirm', [{ at: release, event: 'release' }]);
  if (result === 2)
    return lifecycleUntil('purchase', [{ at: release, event: 'release' }], declinedCard);
  const paid = byCard ? at + rankOf('purchase') * pace : confirmed + random.between(60, 3 * hour);
  const fulfilled = fulfilment(random, paid);
  return byCard
    ? lifecycleUntil('purchase', fulfilled)
    : lifecycleUntil('confirm', [{ at: paid, event: 'complete' }, ...fulfilled]);
}

/** Draws the events after an order is paid: it is shipped, and perhaps returned, or it is cancelled. */
function fulfilment(random: Random, paid: number): LaterEvent[] {
  if (random.next() < 0.03) {
    const cancelled = paid + random.between(600, 10 * hour);
    return [
      { at: cancelled, event: 'cancel' },
      { at: cancelled + random.between(300, 2 * day), event: 'refund' },
    ];
  }
  const shipped = paid + random.between(4 * hour, 3 * day);
  if (random.next() > 0.04) return [{ at: shipped, event: 'ship' }];
  const returned = shipped + random.between(4 * day, 20 * day);
  return [
    { at: shipped, event: 'ship' },
    { at: returned, event: 'return' },
    { at: returned + random.between(hour, 3 * day), event: 'refund' },
  ];
}

function lifecycleUntil(
  until: Stage,
  later: readonly LaterEvent[] = [],
  card = approvedCard,
): Lifecycle {
  return { until, card, later };
}
