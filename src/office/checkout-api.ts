import { submitAddressing } from '../checkout/addressing.ts';
import { addItem, createOrder, removeCoupon, removeItem, useCoupon } from '../checkout/cart.ts';
import { submitConfirm } from '../checkout/confirm.ts';
import {
  machines,
  possibilities,
  transition,
  type MachineName,
  type Possibility,
} from '../checkout/machines/transition.ts';
import { proposePayment, submitPayment, type PaymentProposal } from '../checkout/payment.ts';
import { submitPurchase } from '../checkout/purchase.ts';
import { setStock, type StockLevel } from '../checkout/set-stock.ts';
import { storeCounts } from '../checkout/script.ts';
import { proposeShipping, submitShipping, type ShippingProposal } from '../checkout/shipping.ts';
import { awaitedStep, steps } from '../checkout/steps.ts';
import { runDueEvents } from '../checkout/time.ts';
import type { Order } from '../models/order.ts';
import type { OrderItem } from '../models/order-item.ts';
import type { StockItem } from '../models/stock-item.ts';
import { Problem } from '../lib/problem.ts';
import type { OpenShop } from '../scenario/start.ts';
import type { Atomic } from '../store/transaction.ts';

/** What a function of the checkout takes beside the shop and the order. */
type Rest<Step> = Step extends (shop: never, order: never, ...rest: infer Given) => unknown
  ? Given
  : never;

/**
 * The checkout without HTTP, by the order's id. Each call happens wholly or, where it throws, not at all.
 *
 * All throw Problem: `missing` for no such record, `invalid` for wrong values, `refused` where the state does not allow it.
 */
export interface CheckoutApi {
  /** The steps of the checkout, in order. */
  readonly steps: typeof steps;
  /** The state machines as rows: states, and the transitions between them. */
  readonly machines: typeof machines;
  createOrder(values: Parameters<typeof createOrder>[1]): Order;
  addItem(order: number, ...rest: Rest<typeof addItem>): OrderItem;
  removeItem(order: number, item: number): void;
  useCoupon(order: number, code: string): Order;
  removeCoupon(order: number, code: string): Order;
  addressing(order: number, ...rest: Rest<typeof submitAddressing>): Order;
  shipping(order: number, ...rest: Rest<typeof submitShipping>): Order;
  payment(order: number, ...rest: Rest<typeof submitPayment>): Order;
  confirm(order: number): Order;
  purchase(order: number, ...rest: Rest<typeof submitPurchase>): Order;
  /** The shipments that the order is split into, and the methods that each can be sent by. */
  proposeShipping(order: number): readonly ShippingProposal[];
  /** The payment methods to choose from, and the payment that one of them will make. */
  proposePayment(order: number): PaymentProposal;
  /** The next step of the checkout; undefined for an order that awaits none. */
  awaited(order: number): ReturnType<typeof awaitedStep>;
  /** Moves an order, a payment, a shipment or an inventory unit on: `transition('shipment', 4, 'ship')`. */
  transition(machine: MachineName, id: number, name: string): void;
  /** What can happen to it next, and why something else can't. */
  possibilities(machine: MachineName, id: number): readonly Possibility[];
  /** Says how much of a variant lies at a location; backordered units take of it at once. */
  setStock(level: StockLevel): StockItem;
}

export function createCheckoutApi(shop: OpenShop, work: Atomic): CheckoutApi {
  const { db } = shop;
  const whole = <Result>(doing: () => Result): Result => {
    runDueEvents(shop);
    try {
      return work(doing);
    } finally {
      storeCounts(shop);
      shop.firedRules.length = 0;
    }
  };
  const step =
    <Given extends unknown[], Result>(take: (...given: [OpenShop, Order, ...Given]) => Result) =>
    (order: number, ...given: Given): Result =>
      whole(() => take(shop, orderOf(shop, order), ...given));
  return {
    steps,
    machines,
    createOrder: (values) => whole(() => createOrder(shop, values)),
    addItem: step(addItem),
    removeItem: step((_, order, item: number) =>
      removeItem(shop, order, db.orderItems.get(item) ?? missing('order item', item)),
    ),
    useCoupon: step(useCoupon),
    removeCoupon: step(removeCoupon),
    addressing: step(submitAddressing),
    shipping: step(submitShipping),
    payment: step(submitPayment),
    confirm: step(submitConfirm),
    purchase: step(submitPurchase),
    proposeShipping: (order) => proposeShipping(shop, orderOf(shop, order)),
    proposePayment: (order) => proposePayment(shop, orderOf(shop, order)),
    awaited: (order) => awaitedStep(shop, orderOf(shop, order)),
    transition: (machine, id, name) => whole(() => transition(shop, machine, id, name)),
    possibilities: (machine, id) => possibilities(shop, machine, id),
    setStock: (level) => whole(() => setStock(shop, level)),
  };
}

function orderOf({ db }: OpenShop, id: number): Order {
  return db.orders.get(id) ?? missing('order', id);
}

function missing(what: string, id: number): never {
  throw new Problem('missing', `There is no ${what} ${id}.`);
}
