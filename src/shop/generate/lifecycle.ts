import { approvedCard, declinedCard } from '../checkout/payment.ts';
import { confirming, paying, stepNames, type StepName } from '../models/order.ts';
import { cumulate, type Random } from './random.ts';

/** A transition of an order, or of all its shipments or payments, some seconds after the previous event. */
export interface LaterEvent {
  readonly after: number;
  readonly machine: 'order' | 'shipment' | 'payment';
  readonly transition: string;
}

/** The last step of an order's checkout, and the events after it. */
export interface Lifecycle {
  /** The last step that is submitted; `cart` for none. */
  readonly until: 'cart' | StepName;
  readonly card: string;
  readonly later: readonly LaterEvent[];
}

const hour = 3600;
const day = 24 * hour;

/** Weights of the results: abandoned, never paid, declined, paid. */
const resultWeights = cumulate([20, 2, 1, 77]);

/** Weights of the steps after which carts are abandoned, from none on. */
const abandonmentWeights = cumulate([45, 25, 18, 12]);
const abandonedAfter = ['cart', ...stepNames.slice(0, stepNames.indexOf(confirming))] as const;

/** Draws the lifecycle of an order. @param byCard whether it is paid at the purchase step */
export function drawLifecycle(random: Random, byCard: boolean): Lifecycle {
  const result = random.draw(resultWeights);
  const card = result === 2 ? declinedCard : approvedCard;
  if (result === 0)
    return { until: abandonedAfter[random.draw(abandonmentWeights)] ?? 'cart', card, later: [] };
  if (result < 3) {
    const release = move('order', 'release', random.between(7 * day, 11 * day));
    return { until: result === 1 ? confirming : paying, card, later: [release] };
  }
  const later = fulfilment(random);
  if (byCard) return { until: paying, card, later };
  const complete = move('payment', 'complete', random.between(60, 3 * hour));
  return { until: confirming, card, later: [complete, ...later] };
}

/** Draws the events after an order is paid: it is shipped, and perhaps returned, or it is cancelled. */
function fulfilment(random: Random): LaterEvent[] {
  if (random.next() < 0.03) {
    return [
      move('order', 'cancel', random.between(600, 10 * hour)),
      move('payment', 'refund', random.between(300, 2 * day)),
    ];
  }
  const shipped = move('shipment', 'ship', random.between(4 * hour, 3 * day));
  if (random.next() > 0.04) return [shipped];
  return [
    shipped,
    move('order', 'return', random.between(4 * day, 20 * day)),
    move('payment', 'refund', random.between(hour, 3 * day)),
  ];
}

function move(machine: LaterEvent['machine'], transition: string, after: number): LaterEvent {
  return { after, machine, transition };
}
