import { refusedProblem } from '../../engine/lib/problem.ts';
import type { Order } from '../models/order.ts';
import {
  assertStep,
  awaitedStep,
  optionalSteps,
  rankOf,
  stepsOf,
  type CheckoutStep,
} from './step.ts';
import { applyScript, factsOf } from './script.ts';
import type { Shop } from './shop.ts';

/**
 * Submits one step of the checkout.
 *
 * @param input what the step requires: `StepInputs` in `resources/checkout.ts` has its type
 * @throws Problem `refused` if the order awaits another step or the shop does not allow it, `invalid` for wrong values
 *   or by the script
 */
export function submitStep(shop: Shop, order: Order, name: string, input: unknown): Order {
  const { implementation, to } = stepNamed(shop, name);
  assertStep(shop, order, name);
  const prepared = implementation.prepare(shop, order, input);
  const rule = applyScript(shop, name, () =>
    factsOf(shop, order, implementation.facts?.(prepared)),
  );
  rollBackTo(shop, order, to);
  return implementation.submit(shop, order, prepared, rule);
}

/** A customer's choices, by the name of the step. A step without a choice gets its default input. */
export type Choices = Readonly<Partial<Record<string, (shop: Shop, order: Order) => unknown>>>;

/** Returns the input of a step: the choice of the customer, or else the default. */
export function chooseInput(
  shop: Shop,
  order: Order,
  name: string,
  customer: Choices = {},
): unknown {
  const choose = customer[name];
  return choose
    ? choose(shop, order)
    : stepNamed(shop, name).implementation.defaultInput(shop, order);
}

/** Submits one step of a walk. */
export type SubmitStep = (order: Order, name: string, input: unknown) => Order;

/**
 * Submits the next steps of an order, up to and including `until`.
 *
 * @param submit called for each step (default: `submitStep`)
 * @returns the order after the last step
 */
export function walkOrder(
  shop: Shop,
  order: Order,
  until: string,
  customer: Choices = {},
  submit: SubmitStep = (current, name, input) => submitStep(shop, current, name, input),
): Order {
  const isNext = optionalSteps(shop, order).some(({ name }) => name === until);
  const first = isNext ? until : (awaitedStep(shop, order) ?? until);
  let current = order;
  for (const name of stepsUntil(shop, until, first)) {
    current = submit(current, name, chooseInput(shop, current, name, customer));
  }
  return current;
}

/** Returns the steps from `first` up to and including `until`, without optional ones; none if either is `cart`. */
export function stepsUntil(
  shop: Shop,
  until: string,
  first: string = stepsOf(shop)[0]?.name ?? 'cart',
): readonly string[] {
  const all = stepsOf(shop);
  const [start, end] = [first, until].map((step) => all.findIndex(({ name }) => name === step));
  return all
    .slice(start === -1 ? all.length : start, (end ?? -1) + 1)
    .flatMap(({ name, optional }) => (optional && name !== until ? [] : [name]));
}

/** Undoes the steps after a state of the checkout, the last one first. Does not change the order's own row. */
export function rollBackTo(shop: Shop, order: Order, state: string): void {
  const done = stepsOf(shop).slice(rankOf(shop, state), rankOf(shop, order.checkout_state));
  for (const { implementation } of done.toReversed()) implementation.undo?.(shop, order);
}

/** @throws Problem `refused` if the shop has no step of this name */
function stepNamed(shop: Shop, name: string): CheckoutStep {
  const step = stepsOf(shop).find((row) => row.name === name);
  if (step === undefined) throw refusedProblem(`There is no step ${name}.`);
  return step;
}
