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
 * What one step of the checkout does. `submitStep` in `steps.ts` first requires the step to be the order's next one,
 * then calls `prepare`, applies the script, undoes later steps and calls `submit`.
 */
export interface Step<Input, Prepared = Input> {
  /**
   * Validates the input, and returns what `submit` needs.
   *
   * @throws Problem `invalid` for wrong values, `refused` if the state of the shop does not allow the step
   */
  readonly prepare: (shop: Shop, order: Order, input: Input) => Prepared;
  /** What rules of the script can match, beside the order itself. */
  readonly facts?: (prepared: Prepared) => Facts;
  /** Writes the step. `rule` is the rule of the script that applies. */
  readonly submit: (shop: Shop, order: Order, prepared: Prepared, rule?: ScriptRule) => Order;
  /** Deletes what the step wrote. The order's own row is left to the caller. */
  readonly undo?: (shop: Shop, order: Order) => void;
  /** What a customer without preferences would choose. */
  readonly usualInput: (shop: Shop, order: Order) => Input;
}

/** Returns the next step of an order; undefined once it is paid, given up or deleted. */
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

/** The step that leads on from each state. */
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
      ? `${where}: it awaits no further step${expiry(shop, order)}.`
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

function expiry({ clock }: Shop, { state, expires_at }: Order): string {
  return state === 'abandoned' && expires_at < clock.now() ? `; it expired at ${expires_at}` : '';
}
