import {
  checkoutSteps,
  stepNames,
  CheckoutState,
  type Order,
  type StepName,
} from '../models/order.ts';
import { addressingStep, type Addresses } from './addressing.ts';
import { assertStep, awaitedStep, type Step } from './step.ts';
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
}

/** The implementation of each step. `checkoutSteps` has their order. */
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
export function submitStep<Name extends StepName>(
  shop: Shop,
  order: Order,
  name: Name,
  input: StepInputs[Name],
): Order {
  return steps[name].submit(shop, order, input);
}

/** A customer's choices. A step without a choice gets its default input. */
export type Customer = {
  readonly [Name in StepName]?: (shop: Shop, order: Order) => StepInputs[Name];
};

/** Returns the input of a step: the choice of the customer, or else the default. */
export function chooseInput<Name extends StepName>(
  shop: Shop,
  order: Order,
  name: Name,
  customer: Customer = {},
): StepInputs[Name] {
  const choose = customer[name] ?? steps[name].defaultInput;
  return choose(shop, order);
}

/** Submits one step of a walk. */
export type SubmitStep = <Name extends StepName>(
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
  until: StepName | 'cart',
  customer: Customer = {},
  submit: SubmitStep = (current, name, input) => submitStep(shop, current, name, input),
): Order {
  let current = order;
  for (const name of stepsUntil(until, awaitedStep(shop, order) ?? until)) {
    current = submit(current, name, chooseInput(shop, current, name, customer));
  }
  return current;
}

/** Returns the steps from `first` up to and including `until`; none if either is `cart`. */
export function stepsUntil(
  until: StepName | 'cart',
  first: StepName | 'cart' = checkoutSteps[0].name,
): readonly StepName[] {
  if (until === 'cart' || first === 'cart') return [];
  return stepNames.slice(stepNames.indexOf(first), stepNames.indexOf(until) + 1);
}

/** Undoes the steps after a state of the checkout, the last one first. Does not change the order's own row. */
export function rollBackTo(shop: Shop, order: Order, state: CheckoutState): void {
  const target = states.indexOf(state);
  for (let rank = states.indexOf(order.checkout_state); rank > target; rank--) {
    steps[stepNames[rank - 1]!].undo?.(shop, order);
  }
}

/** The states of the checkout in order: the step at position n leads from state n to state n + 1. */
const states = CheckoutState.options;

interface BoundStep<Input> {
  readonly submit: (shop: Shop, order: Order, input: Input) => Order;
  readonly undo: ((shop: Shop, order: Order) => void) | undefined;
  readonly defaultInput: (shop: Shop, order: Order) => Input;
}

function bound<Input, Prepared>(name: StepName, step: Step<Input, Prepared>): BoundStep<Input> {
  const to = checkoutSteps.find((row) => row.name === name)?.to ?? 'cart';
  return {
    undo: step.undo,
    defaultInput: step.defaultInput,
    submit(shop, order, input) {
      assertStep(shop, order, name);
      const prepared = step.prepare(shop, order, input);
      const rule = applyScript(shop, name, () => factsOf(shop, order, step.facts?.(prepared)));
      rollBackTo(shop, order, to);
      return step.submit(shop, order, prepared, rule);
    },
  };
}
