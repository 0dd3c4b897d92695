import type { CheckoutState, Order } from '../models/order.ts';
import type { Problem } from '../lib/problem.ts';
import { refusedProblem } from './refusal.ts';
import type { Shop } from './shop.ts';

/** What a customer does after filling the cart, in this order. */
export const steps = ['addressing', 'shipping', 'payment', 'confirm', 'purchase'] as const;
export type Step = (typeof steps)[number];

const next: Readonly<Record<CheckoutState, Step | undefined>> = {
  cart: 'addressing',
  addressing: 'shipping',
  shipping: 'payment',
  payment: 'confirm',
  finalize: 'purchase',
  completed: undefined,
};

/** The step that an order awaits; none once it is paid for, or given up. */
export function awaitedStep({ db }: Shop, order: Order): Step | undefined {
  const step = next[order.checkout_state];
  if (order.state === 'pending' || order.state === 'released') {
    return step === 'purchase' ? step : undefined;
  }
  if (order.state !== 'cart' || step === 'purchase') return undefined;
  // A back office may delete payments. Without one there is nothing to confirm.
  return step === 'confirm' && db.payments.countBy('order', order.id) === 0 ? 'payment' : step;
}

/**
 * Lets a step through whose turn it is. Where the settings allow it, a cart may also go back to an earlier one.
 *
 * @throws Problem `refused` that says which state the order is in and what it awaits
 */
export function assertStep(shop: Shop, order: Order, step: Step): void {
  const turn = awaitedStep(shop, order);
  if (turn !== step && !isStepBack(shop, order, step, turn)) throw outOfTurn(shop, order, step);
}

/** What is said of a step that is not the order's next one. */
export function outOfTurn(shop: Shop, order: Order, step: Step): Problem {
  const turn = awaitedStep(shop, order);
  const { id, state, checkout_state } = order;
  const where = `Order ${id} is in state ${state}, its checkout in state ${checkout_state}`;
  return refusedProblem(
    turn === undefined
      ? `${where}: it awaits no further step${expired(shop, order)}.`
      : `${where}: it awaits ${turn}, not ${step}.`,
  );
}

function isStepBack({ settings }: Shop, order: Order, step: Step, turn: Step | undefined): boolean {
  if (!settings.stepBack || order.state !== 'cart' || turn === undefined) return false;
  return steps.indexOf(step) < steps.indexOf(turn);
}

function expired({ clock }: Shop, { state, expires_at }: Order): string {
  return state === 'abandoned' && expires_at < clock.now() ? `; it expired at ${expires_at}` : '';
}
