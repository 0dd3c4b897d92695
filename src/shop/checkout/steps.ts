import { refusedProblem } from '../../engine/lib/problem.ts';
import type { Order, StepName } from '../models/order.ts';
import { addressingStep, type Addresses } from './addressing.ts';
import { assertStep, awaitedStep, optionalSteps, rankOf, stepsOf, type Step } from './step.ts';
import { type Card, confirmStep, paymentStep, purchaseStep } from './payment.ts';
import { applyScript, factsOf } from './script.ts';
import { shippingStep } from './shipping.ts';
import type { Shop } from './shop.ts';

/** The input of each step. */
export interface StepInputs {
  readonly addressing: Addresses;
  /** The method of each shipment, by its position from 0. */
  readonly shipping: ReadonlyMap<number, number>;
  /** The id of a payment method. */
  readonly payment: number;
  readonly confirm: undefined;
  readonly purchase: Card;
  /** The parameters of a step that an extension added. */
  readonly [added: string]: unknown;
}

/** The implementation of each step of the store. `checkoutSteps` has their order. */
const steps: { readonly [Name in StepName]: BoundStep<StepInputs[Name]> } = {
  addressing: bound('addressing', addressingStep),
  shipping: bound('shipping', shippingStep),
  payment: bound('payment', paymentStep),
  confirm: bound('confirm', confirmStep),
  purchase: bound('purchase', purchaseStep),
};

/**
 * Submits one step of the checkout.
 *
 * @throws Problem `refused` if the order awaits another step or the shop does not allow it, `invalid` for wrong values
 *   or by the script
 */
export function submitStep<Name extends string>(
  shop: Shop,
  order: Order,
  name: Name,
  input: StepInputs[Name],
): Order {
  return stepNamed(shop, name).submit(shop, order, input);
}

/** A customer's choices. A step without a choice gets its default input. */
export type Customer = {
  readonly [Name in StepName]?: (shop: Shop, order: Order) => StepInputs[Name];
};

/** Returns the input of a step: the choice of the customer, or else the default. */
export function chooseInput<Name extends string>(
  shop: Shop,
  order: Order,
  name: Name,
  customer: Customer = {},
): StepInputs[Name] {
  const choose = customer[name as StepName] ?? stepNamed(shop, name).defaultInput;
  return choose(shop, order);
}

/** Submits one step of a walk. */
export type SubmitStep = <Name extends string>(
  order: Order,
  name: Name,
  input: StepInputs[Name],
) => Order;

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
  customer: Customer = {},
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
  for (const { name } of done.toReversed()) stepNamed(shop, name).undo?.(shop, order);
}

interface BoundStep<Input> {
  readonly submit: (shop: Shop, order: Order, input: Input) => Order;
  readonly undo: ((shop: Shop, order: Order) => void) | undefined;
  readonly defaultInput: (shop: Shop, order: Order) => Input;
}

/** @throws Problem `refused` if the shop has no step of this name */
function stepNamed(shop: Shop, name: string): BoundStep<unknown> {
  const added = stepsOf(shop).find((row) => row.name === name)?.added as Step<unknown> | undefined;
  const step = added ? bound(name, added) : steps[name as StepName];
  if (step !== undefined) return step as BoundStep<unknown>;
  throw refusedProblem(`There is no step ${name}.`);
}

function bound<Input, Prepared>(name: string, step: Step<Input, Prepared>): BoundStep<Input> {
  return {
    undo: step.undo,
    defaultInput: step.defaultInput,
    submit(shop, order, input) {
      assertStep(shop, order, name);
      const prepared = step.prepare(shop, order, input);
      const rule = applyScript(shop, name, () => factsOf(shop, order, step.facts?.(prepared)));
      const to = stepsOf(shop).find((row) => row.name === name)?.to;
      rollBackTo(shop, order, to ?? 'cart');
      return step.submit(shop, order, prepared, rule);
    },
  };
}
