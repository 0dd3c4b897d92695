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

/** What the customer gives at each step. */
export interface StepInputs {
  readonly addressing: Addresses;
  /** The method of each shipment, by its position from 0. */
  readonly shipping: ReadonlyMap<number, number>;
  /** The id of a payment method. */
  readonly payment: number;
  readonly confirm: undefined;
  readonly purchase: Card;
}

/** What each step does. Their sequence is `checkoutSteps`. */
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

/** What a customer chooses at each step; a step that is not listed gets its usual input. */
export type Customer = {
  readonly [Name in StepName]?: (shop: Shop, order: Order) => StepInputs[Name];
};

/** What a customer gives at a step. */
export function chooseInput<Name extends StepName>(
  shop: Shop,
  order: Order,
  name: Name,
  customer: Customer = {},
): StepInputs[Name] {
  const choose = customer[name] ?? steps[name].usualInput;
  return choose(shop, order);
}

/** Submits one step: the rest of a walk calls it for each step in turn. */
export type SubmitStep = <Name extends StepName>(
  order: Order,
  name: Name,
  input: StepInputs[Name],
) => Order;

/**
 * Takes an order through its next steps, up to and including `until`.
 *
 * @param submit submits a step, here by default
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

/** The steps from `first` up to and including `until`; none for an open cart. */
export function stepsUntil(
  until: StepName | 'cart',
  first: StepName | 'cart' = checkoutSteps[0].name,
): readonly StepName[] {
  if (until === 'cart' || first === 'cart') return [];
  return stepNames.slice(stepNames.indexOf(first), stepNames.indexOf(until) + 1);
}

/** Undoes the steps that led a cart beyond a state, the last one first. The order's own row is left to the caller. */
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
  readonly usualInput: (shop: Shop, order: Order) => Input;
}

function bound<Input, Prepared>(name: StepName, step: Step<Input, Prepared>): BoundStep<Input> {
  const to = checkoutSteps.find((row) => row.name === name)?.to ?? 'cart';
  return {
    undo: step.undo,
    usualInput: step.usualInput,
    submit(shop, order, input) {
      assertStep(shop, order, name);
      const prepared = step.prepare(shop, order, input);
      const rule = applyScript(shop, name, () => factsOf(shop, order, step.facts?.(prepared)));
      rollBackTo(shop, order, to);
      return step.submit(shop, order, prepared, rule);
    },
  };
}
