import { declinedCard } from '../checkout/payment.ts';
import { confirming, paying, type StepName } from '../models/order.ts';
import type { OrderPlan } from '../office/play-orders.ts';

type Transition = Omit<OrderPlan['later'][number], 'after'>;

/** What becomes of an order. */
interface Lifecycle {
  readonly weight: number;
  /** The last step that is submitted; `cart` for none. */
  readonly until: 'cart' | StepName;
  readonly card?: string;
  /** The transitions after that, each between two numbers of seconds after the one before. */
  readonly later: readonly (readonly [from: number, to: number, transition: Transition])[];
}

const hour = 3600;
const day = 24 * hour;

/** Three in four orders are paid and shipped, and one in five is a cart that is left. */
export const lifecycles: readonly Lifecycle[] = [
  { weight: 90, until: 'cart', later: [] },
  { weight: 50, until: 'addressing', later: [] },
  { weight: 36, until: 'shipping', later: [] },
  { weight: 24, until: 'payment', later: [] },
  { weight: 20, until: confirming, later: [[7 * day, 11 * day, { order: 'release' }]] },
  {
    weight: 10,
    until: paying,
    card: declinedCard,
    later: [[7 * day, 11 * day, { order: 'release' }]],
  },
  { weight: 717, until: paying, later: [[4 * hour, 3 * day, { shipments: 'ship' }]] },
  {
    weight: 30,
    until: paying,
    later: [
      [4 * hour, 3 * day, { shipments: 'ship' }],
      [4 * day, 20 * day, { order: 'return' }],
      [hour, 3 * day, { payments: 'refund' }],
    ],
  },
  {
    weight: 23,
    until: paying,
    later: [
      [600, 10 * hour, { order: 'cancel' }],
      [300, 2 * day, { payments: 'refund' }],
    ],
  },
];
