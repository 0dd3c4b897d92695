import * as z from 'zod';
import { lazyStrictObject } from '../../engine/lib/lazy-object.ts';
import { Id, Money } from '../../engine/lib/fields.ts';
import { CurrencyCode } from '../models/currency-code.ts';
import { stepNames, type Order } from '../models/order.ts';
import { isDuration, addDuration } from '../../engine/lib/duration.ts';
import { AddressBlock, addressFields } from '../resources/address.ts';
import { addItem, createOrder, useCoupon } from '../checkout/cart.ts';
import { transition, type TransitionNames } from '../checkout/machines/transition.ts';
import { proposeShipping } from '../checkout/shipping.ts';
import { approvedCard, purchaseStep } from '../checkout/payment.ts';
import { chooseInput, stepsUntil, submitStep, type Choices } from '../checkout/steps.ts';
import { runDueEvents } from '../checkout/time.ts';
import { Problem, type FieldIssue } from '../../engine/lib/problem.ts';
import { reportStep, type OnProgress } from '../../engine/lib/progress.ts';
import type { Shop } from '../resources/endpoint.ts';
import type { VirtualClock } from '../../engine/lib/virtual-clock.ts';
import { nestIssues } from '../../engine/scenario/issues.ts';

const Duration = z.string().refine(isDuration, 'expected an ISO 8601 duration such as PT2M or P1D');

/**
 * A transition of the order, or of all its shipments or payments, some time after the previous event. Its machine rejects
 * unknown names, with a better message than a schema; editors complete the known ones.
 */
const LaterTransition = lazyStrictObject(() => ({
  after: Duration,
  order: (z.string() as z.ZodType<string, TransitionNames['order']>)
    .optional()
    .describe('`release`, `ship`, `cancel`, `return`, …'),
  shipments: (z.string() as z.ZodType<string, TransitionNames['shipment']>)
    .optional()
    .describe('`ship`, `return`, …'),
  payments: (z.string() as z.ZodType<string, TransitionNames['payment']>)
    .optional()
    .describe('`refund`, `complete`, …'),
}));

/** An order of a scenario: its values, and the checkout steps to submit. */
export const OrderRecipe = lazyStrictObject(() => ({
  at: Duration.describe('When its cart was opened, relative to `now`: `-P12DT3H`'),
  channel: Id,
  user: Id,
  currency: CurrencyCode,
  items: z.array(
    z.strictObject({
      variant: Id,
      quantity: z.int().min(1),
      unitPrice: Money.min(0)
        .optional()
        .describe('Minor units (default: the price of the variant)'),
    }),
  ),
  coupons: z.array(z.string()).default([]),
  shippingAddress: AddressBlock.optional(),
  billingAddress: AddressBlock.optional(),
  shippingMethod: Id.optional().describe('Method of every shipment'),
  paymentMethod: Id.optional(),
  card: z.string().default(approvedCard),
  until: z.enum(['cart', ...stepNames]).describe('The last step that is submitted'),
  pace: Duration.default('PT2M').describe('Duration of each step'),
  // oxlint-disable-next-line unicorn/no-thenable -- a property of JSON, never awaited
  then: z.array(LaterTransition).default([]).describe('Transitions after the checkout'),
}));
export type OrderRecipe = z.output<typeof OrderRecipe>;

/** An order to play: a recipe, with the choices of its customer in place of their names. */
export interface OrderPlan extends Pick<
  OrderRecipe,
  'at' | 'channel' | 'user' | 'currency' | 'items' | 'coupons' | 'until' | 'pace'
> {
  readonly later: OrderRecipe['then'];
  readonly customer: Choices;
}

export type PlayingShop = Shop & { readonly clock: VirtualClock };

/** An event of one order of a scenario. */
interface OrderEvent {
  readonly at: string;
  /** The position of the order's recipe. */
  readonly index: number;
  run(): void;
}

/** Plays the orders of a scenario, and returns their issues. */
export function playOrders(
  shop: PlayingShop,
  recipes: readonly OrderRecipe[],
  onProgress?: OnProgress,
): FieldIssue[] {
  const plans = recipes.map((recipe) => ({
    ...recipe,
    later: recipe.then,
    customer: customerOf(recipe),
  }));
  const issues = playPlans(shop, plans, onProgress);
  return Array.from(issues, ([index, found]) => nestIssues(['orders', index], found)).flat();
}

/**
 * Creates orders, submits their steps in chronological order, and sets the clock back to `now`.
 *
 * @returns the issues by position; later events of an order with an issue are skipped
 */
export function playPlans(
  shop: PlayingShop,
  plans: readonly OrderPlan[],
  onProgress?: OnProgress,
): ReadonlyMap<number, readonly FieldIssue[]> {
  const now = shop.clock.now();
  const events = plans.flatMap((plan, index) => eventsOf(shop, plan, now, index));
  events.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const issues = new Map<number, readonly FieldIssue[]>();
  for (const [step, { at, index, ...event }] of events.entries()) {
    reportStep(onProgress, step, events.length);
    if (issues.has(index)) continue;
    if (at > now) {
      issues.set(index, [{ path: [], message: `A step is later than now: ${at}` }]);
      continue;
    }
    shop.clock.set(at);
    runDueEvents(shop);
    const found = issuesFrom(() => event.run());
    if (found.length > 0) issues.set(index, found);
  }
  shop.clock.set(now);
  runDueEvents(shop);
  return issues;
}

function eventsOf(shop: Shop, plan: OrderPlan, now: string, index: number): OrderEvent[] {
  let id = 0;
  let at = addDuration(now, plan.at);
  const events: OrderEvent[] = [];
  const add = (run: () => void): void => {
    events.push({ at, index, run });
  };
  add(() => {
    id = openCart(shop, plan).id;
  });
  for (const step of stepsUntil(shop, plan.until)) {
    at = addDuration(at, plan.pace);
    add(() => {
      const order = current(shop, id);
      submitStep(shop, order, step, chooseInput(shop, order, step, plan.customer));
    });
  }
  for (const later of plan.later) {
    at = addDuration(at, later.after);
    add(() => move(shop, id, later));
  }
  return events;
}

function openCart(shop: Shop, plan: OrderPlan): Order {
  const { channel: channel_id, user: user_id, currency } = plan;
  const order = createOrder(shop, { channel_id, user_id, currency });
  for (const { variant, quantity, unitPrice } of plan.items) {
    const unit_price = unitPrice ?? shop.db.variants.get(variant)?.price ?? 0;
    addItem(shop, current(shop, order.id), { variant_id: variant, quantity, unit_price });
  }
  for (const code of plan.coupons) useCoupon(shop, current(shop, order.id), code);
  return order;
}

/** Returns a customer with the choices of a recipe. */
function customerOf(recipe: OrderRecipe): Choices {
  const { shippingAddress, billingAddress, shippingMethod, paymentMethod } = recipe;
  return {
    addressing: () => ({
      shipping: addressFields(required(shippingAddress, 'shippingAddress')),
      ...(billingAddress !== undefined && { billing: addressFields(billingAddress) }),
    }),
    shipping(shop, order) {
      const method = required(shippingMethod, 'shippingMethod');
      return new Map(proposeShipping(shop, order).map((_, position) => [position, method]));
    },
    payment: () => required(paymentMethod, 'paymentMethod'),
    purchase: (shop, order) => ({ ...purchaseStep.defaultInput(shop, order), number: recipe.card }),
  };
}

function move(shop: Shop, order: number, later: OrderPlan['later'][number]): void {
  if (later.order !== undefined) transition(shop, 'order', order, later.order);
  for (const { id } of later.shipments === undefined ? [] : shop.db.shipments.by('order', order)) {
    transition(shop, 'shipment', id, required(later.shipments, 'shipments'));
  }
  for (const { id } of later.payments === undefined ? [] : shop.db.payments.by('order', order)) {
    transition(shop, 'payment', id, required(later.payments, 'payments'));
  }
}

function current(shop: Shop, id: number): Order {
  return required(shop.db.orders.get(id), `order ${id}`);
}

function required<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Problem('invalid', `${name} is required`);
  return value;
}

function issuesFrom(run: () => void): readonly FieldIssue[] {
  try {
    run();
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.fields.length > 0 ? error.fields : [{ path: [], message: error.message }];
  }
}
