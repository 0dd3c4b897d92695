import { addDuration } from '../lib/duration.ts';
import type { Order } from '../models/order.ts';
import type { Payment } from '../models/payment.ts';
import { digitsOf, lastFour, outcomeOfCard, type Card } from './card.ts';
import { settlePayment } from './outcome.ts';
import { refusedProblem } from './refusal.ts';
import { factsOf, applyScript } from './script.ts';
import type { Shop } from './shop.ts';
import { assertStep } from './steps.ts';

/**
 * The last step: pays by card. The script says what it comes to, or else the card number. Where it was tried before,
 * a new payment is made like the one before.
 *
 * @throws Problem `refused` for an order that awaits something else, `invalid` by the script
 */
export function submitPurchase(shop: Shop, order: Order, card: Card): Order {
  const { db, clock } = shop;
  assertStep(shop, order, 'purchase');
  const attempt = payable(shop, order);
  const rule = applyScript(shop, 'purchase', () =>
    factsOf(shop, order, { card: digitsOf(card.number) }),
  );
  const payment = store(shop, attempt, lastFour(card));
  const { outcome, reason } = rule?.outcome === undefined ? outcomeOfCard(card) : rule;
  settlePayment(shop, payment, { outcome: outcome ?? 'approved', reason });
  if (rule?.settle !== undefined) {
    const { after, ...comes } = rule.settle;
    db.settlements.add({ ...comes, payment_id: payment.id, at: addDuration(clock.now(), after) });
  }
  return db.orders.get(order.id) ?? order;
}

/** The last payment of an order: what it was, the next one is. */
function payable({ db }: Shop, order: Order): Payment {
  const payment = db.payments.by('order', order.id).at(-1);
  if (payment === undefined) throw refusedProblem(`Order ${order.id} has no payment left to make.`);
  return payment;
}

function store({ db }: Shop, { id, ...before }: Payment, card: string): Payment {
  if (before.state === 'new') return db.payments.change(id, { card });
  const { order_id, method_id, amount, currency } = before;
  return db.payments.add({ order_id, method_id, amount, currency, state: 'new', card });
}
