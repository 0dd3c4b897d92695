import { memoized } from '../../engine/lib/memoized.ts';
import { refusedProblem, type Problem } from '../../engine/lib/problem.ts';
import type { StepRow } from '../../engine/definition/api.ts';
import { paying, type Order } from '../models/order.ts';
import type { ScriptRule } from '../models/script-rule.ts';
import type { Facts } from './script.ts';
import type { Shop } from './shop.ts';

/**
 * The implementation of a step of the checkout. `submitStep` in `steps.ts` first requires the step to be the order's
 * next one, then calls `prepare`, applies the script, undoes later steps and calls `submit`.
 */
export interface Step<Input = unknown, Prepared = Input> {
  /**
   * Validates the input, and returns the parameter of `submit`.
   *
   * @throws Problem `invalid` for wrong values, `refused` if the state of the shop does not allow the step
   */
  prepare(shop: Shop, order: Order, input: Input): Prepared;
  /** Returns facts that rules of the script can match, in addition to those of the order. */
  facts?(prepared: Prepared): Facts;
  /** Writes the step. `rule` is the rule of the script that applies. */
  submit(shop: Shop, order: Order, prepared: Prepared, rule?: ScriptRule): Order;
  /** Deletes the records that the step wrote. Does not change the order's own row. */
  undo?(shop: Shop, order: Order): void;
  /** Returns the input of a customer without preferences. */
  defaultInput(shop: Shop, order: Order): Input;
}

/** A step of the checkout, which leads from state to state. */
export type CheckoutStep = StepRow &
  Required<Pick<StepRow, 'from' | 'to'>> & {
    readonly implementation: Step;
  };

/** Returns the steps of the checkout, in order: those of the store, and those that an extension added. */
export function stepsOf({ api: { steps } }: Shop): readonly CheckoutStep[] {
  return checkoutSteps(steps);
}

const checkoutSteps = memoized((steps: readonly StepRow[]) => steps.filter(isCheckoutStep));

function isCheckoutStep(row: StepRow): row is CheckoutStep {
  const { to, implementation = {} } = row;
  return (
    to !== undefined &&
    'prepare' in implementation &&
    'submit' in implementation &&
    'defaultInput' in implementation
  );
}

/** Returns the position of a state among those of the checkout: 0 for `cart`. */
export function rankOf(shop: Shop, state: string): number {
  return stepsOf(shop).findIndex(({ to }) => to === state) + 1;
}

/** Returns the next step of an order; undefined once it is paid, abandoned or cancelled. */
export function awaitedStep(shop: Shop, order: Order): string | undefined {
  const { db } = shop;
  const step = nextStep(shop, order);
  if (order.state === 'pending' || order.state === 'released') {
    return step === paying ? step : undefined;
  }
  if (order.state !== 'cart' || step === paying || step === undefined) return undefined;
  // The back office may delete payments. An order without one cannot be confirmed.
  return isAfter(shop, step, 'payment') && db.payments.countBy('order', order.id) === 0
    ? 'payment'
    : step;
}

/** Returns the step that follows the state of an order's checkout, and that it cannot go past. */
export function nextStep(shop: Shop, { checkout_state }: Order): string | undefined {
  const left = stepsOf(shop).slice(rankOf(shop, checkout_state));
  return left.find(({ optional }) => !optional)?.name;
}

/** Returns the steps that an order may take before the one that it awaits. */
export function optionalSteps(shop: Shop, { state, checkout_state }: Order): CheckoutStep[] {
  const left = state === 'cart' ? stepsOf(shop).slice(rankOf(shop, checkout_state)) : [];
  return left.slice(
    0,
    left.findIndex(({ optional }) => !optional),
  );
}

/**
 * Requires a step to be the order's next one. With the setting `stepBack`, a cart may also repeat an earlier step.
 *
 * @throws Problem `refused` with the state of the order and its next step
 */
export function assertStep(shop: Shop, order: Order, step: string): void {
  const next = awaitedStep(shop, order);
  if (next === step || isStepBack(shop, order, step, next)) return;
  if (!optionalSteps(shop, order).some(({ name }) => name === step))
    throw wrongStep(shop, order, step);
}

/** Returns the error for a step that is not the order's next one. */
export function wrongStep(shop: Shop, order: Order, step: string): Problem {
  const next = awaitedStep(shop, order);
  const { id, state, checkout_state } = order;
  const where = `Order ${id} is in state ${state}, its checkout in state ${checkout_state}`;
  const possible = [...optionalSteps(shop, order).map(({ name }) => name), next].join(' or ');
  return refusedProblem(
    next === undefined
      ? `${where}: it awaits no further step${expiryNote(shop, order)}.`
      : `${where}: it awaits ${possible}, not ${step}.`,
  );
}

function isAfter(shop: Shop, step: string, other: string): boolean {
  const names = stepsOf(shop).map(({ name }) => name);
  return names.indexOf(step) > names.indexOf(other);
}

function isStepBack(shop: Shop, order: Order, step: string, next: string | undefined): boolean {
  const isCart = shop.settings.stepBack && order.state === 'cart';
  return isCart && next !== undefined && isAfter(shop, next, step);
}

function expiryNote({ clock }: Shop, { state, expires_at }: Order): string {
  return state === 'abandoned' && expires_at < clock.now() ? `; it expired at ${expires_at}` : '';
}
