import { refusedProblem, type Problem } from '../lib/problem.ts';
import {
  checkoutSteps,
  stepNames,
  type CheckoutState,
  type Order,
  type StepName,
} from '../models/order.ts';
import type { ScriptRule } from '../models/script-rule.ts';
import type { Facts } from './script.ts';
import type { Shop } from './shop.ts';

/**
 * One step of the checkout. `submitStep` in `steps.ts` first requires the step to be the order's next one,
 * then calls `prepare`, applies the script, undoes later steps and calls `submit`.
 */
export interface Step<Input, Prepared = Input> {
  /**
   * Validates the input, and returns the parameter of `submit`.
   *
   * @throws Problem `invalid` for wrong values, `refused` if the state of the shop does not allow the step
   */
  readonly prepare: (shop: Shop, order: Order, input: Input) => Prepared;
  /** Returns facts that rules of the script can match, beside those of the order. */
  readonly facts?: (prepared: Prepared) => Facts;
  /** Writes the step. `rule` is the rule of the script that applies. */
  readonly submit: (shop: Shop, order: Order, prepared: Prepared, rule?: ScriptRule) => Order;
  /** Deletes the records that the step wrote. Does not change the order's own row. */
  readonly undo?: (shop: Shop, order: Order) => void;
  /** Returns the input of a customer without preferences. */
  readonly defaultInput: (shop: Shop, order: Order) => Input;
}

/** Returns the next step of an order; undefined once it is paid, abandoned or cancelled. */
export function awaitedStep({ db }: Shop, order: Order): StepName | undefined {
  const step = stepFrom[order.checkout_state];
  if (order.state === 'pending' || order.state === 'released') {
    return step === 'purchase' ? step : undefined;
  }
  if (order.state !== 'cart' || step === 'purchase' || step === undefined) return undefined;
  // The back office may delete payments. An order without one cannot be confirmed.
  return isAfter(step, 'payment') && db.payments.countBy('order', order.id) === 0
    ? 'payment'
    : step;
}

/** The step that follows each state of the checkout. */
const stepFrom: Readonly<Partial<Record<CheckoutState, StepName>>> = Object.fromEntries(
  checkoutSteps.map(({ from, name }) => [from, name]),
);

/**
 * Requires a step to be the order's next one. With the setting `stepBack`, a cart may also repeat an earlier step.
 *
 * @throws Problem `refused` with the state of the order and its next step
 */
export function assertStep(shop: Shop, order: Order, step: StepName): void {
  const next = awaitedStep(shop, order);
  if (next !== step && !isStepBack(shop, order, step, next)) throw outOfTurn(shop, order, step);
}

/** Returns the error for a step that is not the order's next one. */
export function outOfTurn(shop: Shop, order: Order, step: StepName): Problem {
  const next = awaitedStep(shop, order);
  const { id, state, checkout_state } = order;
  const where = `Order ${id} is in state ${state}, its checkout in state ${checkout_state}`;
  return refusedProblem(
    next === undefined
      ? `${where}: it awaits no further step${expiryNote(shop, order)}.`
      : `${where}: it awaits ${next}, not ${step}.`,
  );
}

function isAfter(step: StepName, other: StepName): boolean {
  return stepNames.indexOf(step) > stepNames.indexOf(other);
}

function isStepBack(
  { settings }: Shop,
  order: Order,
  step: StepName,
  next: StepName | undefined,
): boolean {
  return settings.stepBack && order.state === 'cart' && next !== undefined && isAfter(next, step);
}

function expiryNote({ clock }: Shop, { state, expires_at }: Order): string {
  return state === 'abandoned' && expires_at < clock.now() ? `; it expired at ${expires_at}` : '';
}
