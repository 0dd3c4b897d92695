import { addItem, createOrder, removeCoupon, removeItem, useCoupon } from '../checkout/cart.ts';
import {
  cascadeOf,
  machines,
  listTransitions,
  transition,
  type MachineName,
  type ListedTransition,
} from '../checkout/machines/transition.ts';
import { proposePayment, type PaymentProposal } from '../checkout/payment.ts';
import { restoreCounts } from '../checkout/script.ts';
import { proposeShipping, type ShippingProposal } from '../checkout/shipping.ts';
import { awaitedStep, stepsOf } from '../checkout/step.ts';
import { chooseInput, submitStep, walkOrder } from '../checkout/steps.ts';
import { setStock, type StockLevel } from '../checkout/stock.ts';
import { runDueEvents } from '../checkout/time.ts';
import { stepNames, type Order, type StepName, type OrderItem } from '../models/order.ts';
import type { StockItem } from '../models/stock.ts';
import { Problem } from '../../engine/lib/problem.ts';
import type { Customer, StepInputs } from '../resources/checkout.ts';
import type { Shop } from '../resources/endpoint.ts';
import type { Atomic } from '../../engine/store/transaction.ts';

/** The parameters of a function of the checkout after the shop and the order. */
type Rest<Work> = Work extends (shop: never, order: never, ...rest: infer More) => unknown
  ? More
  : never;

/** One function per step: `addressing(order, addresses)`, …, `confirm(order)`. */
type StepFunctions = {
  readonly [Name in StepName]: (
    order: number,
    ...input: undefined extends StepInputs[Name] ? [] : [input: StepInputs[Name]]
  ) => Order;
};

/** The checkout of the store without HTTP. */
export interface StoreOperations {
  /** The checkout steps, state transitions, stock and coupons. */
  readonly checkout: CheckoutApi;
}

/**
 * The checkout without HTTP, by the order's id. Each call is atomic: it rolls back if it throws.
 *
 * All throw Problem: `missing` for an unknown record, `invalid` for wrong values, `refused` if the state does not
 * allow the call.
 */
export interface CheckoutApi extends StepFunctions {
  /** The steps of the checkout, in order. */
  readonly steps: readonly string[];
  /** The state machines as rows: states, and the transitions between them. */
  readonly machines: typeof machines;
  createOrder(values: Parameters<typeof createOrder>[1]): Order;
  addItem(order: number, ...rest: Rest<typeof addItem>): OrderItem;
  removeItem(order: number, item: number): void;
  useCoupon(order: number, code: string): Order;
  removeCoupon(order: number, code: string): Order;
  /** Submits one step, with the input that `customer` chooses or else the default: `submit(3, 'shipping')`. */
  submit(order: number, step: string, customer?: Customer): Order;
  /**
   * Submits the next steps of an order, up to and including `until`, with the inputs that `customer` chooses or else the
   * defaults: `walk(3, 'payment')`.
   */
  walk(order: number, until: string, customer?: Customer): Order;
  /** Returns the shipments that the order is split into, and the methods for each. */
  proposeShipping(order: number): readonly ShippingProposal[];
  /** Returns the payment methods to choose from, and the payment that the step would create. */
  proposePayment(order: number): PaymentProposal;
  /** Returns the next step of the checkout; undefined for an order that awaits none. */
  awaited(order: number): ReturnType<typeof awaitedStep>;
  /** Applies a transition to an order, a payment, a shipment or an inventory unit: `transition('shipment', 4, 'ship')`. */
  transition(machine: MachineName, id: number, name: string): void;
  /** Returns the transitions of a record: possible ones, and others with the reason why not. */
  listTransitions(machine: MachineName, id: number): readonly ListedTransition[];
  /** Sets the stock of a variant at a location. Backordered units are filled from it immediately. */
  setStock(level: StockLevel): StockItem;
}

const ofOrders = [
  'order',
  'addItem',
  'useCoupon',
  'removeCoupon',
  'submit',
  'walk',
  'proposeShipping',
  'proposePayment',
  'awaited',
  ...stepNames,
];

/** The tables of the ids that functions of the checkout and explanations accept. */
export const idParameters: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(ofOrders.map((name) => [name, ['orders']])),
  removeItem: ['orders', 'orderItems'],
  payment: ['orders', 'paymentMethods'],
  stock: ['variants'],
};

export function createCheckoutApi(shop: Shop, work: Atomic): CheckoutApi {
  const { db } = shop;
  const atomic = <Result>(change: () => Result): Result => {
    runDueEvents(shop);
    try {
      return work(change);
    } finally {
      restoreCounts(shop);
      shop.firedRules.length = 0;
    }
  };
  const byId =
    <More extends unknown[], Result>(change: (...all: [Shop, Order, ...More]) => Result) =>
    (order: number, ...rest: More): Result =>
      atomic(() => change(shop, orderOf(shop, order), ...rest));
  const step =
    <Name extends StepName>(name: Name) =>
    (order: number, input: StepInputs[Name]): Order =>
      atomic(() => submitStep(shop, orderOf(shop, order), name, input));
  return {
    steps: stepsOf(shop).map(({ name }) => name),
    machines,
    createOrder: (values) => atomic(() => createOrder(shop, values)),
    addItem: byId(addItem),
    removeItem: byId((_, order, item: number) =>
      removeItem(shop, order, db.orderItems.get(item) ?? missing('order item', item)),
    ),
    useCoupon: byId(useCoupon),
    removeCoupon: byId(removeCoupon),
    ...stepFunctions(step),
    submit: byId((_, order, name: string, customer?: Customer) =>
      submitStep(shop, order, name, chooseInput(shop, order, name, customer)),
    ),
    walk: byId((_, order, until: string, customer?: Customer) =>
      walkOrder(shop, order, until, customer),
    ),
    proposeShipping: (order) => proposeShipping(shop, orderOf(shop, order)),
    proposePayment: (order) => proposePayment(shop, orderOf(shop, order)),
    awaited: (order) => awaitedStep(shop, orderOf(shop, order)),
    transition: (machine, id, name) => atomic(() => transition(shop, machine, id, name)),
    listTransitions: (machine, id) => listTransitions(shop, machine, id),
    setStock: (level) => atomic(() => setStock(shop, level, cascadeOf(shop))),
  };
}

function stepFunctions(
  step: <Name extends StepName>(name: Name) => (order: number, input: StepInputs[Name]) => Order,
): StepFunctions {
  return Object.fromEntries(stepNames.map((name) => [name, step(name)])) as StepFunctions;
}

function orderOf({ db }: Shop, id: number): Order {
  return db.orders.get(id) ?? missing('order', id);
}

function missing(what: string, id: number): never {
  throw new Problem('missing', `There is no ${what} ${id}.`);
}
