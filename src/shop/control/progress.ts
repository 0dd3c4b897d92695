import * as z from 'zod';
import { addressingStep } from '../checkout/addressing.ts';
import { declinedCard, paymentStep } from '../checkout/payment.ts';
import { shippingStep } from '../checkout/shipping.ts';
import type { Shop } from '../resources/endpoint.ts';
import { awaitedStep } from '../checkout/step.ts';
import { chooseInput } from '../checkout/steps.ts';
import { money } from '../explain/words.ts';
import { addressOf } from '../../engine/lib/api-path.ts';
import { addDuration } from '../../engine/lib/duration.ts';
import { pathOf } from '../../client.ts';
import { parseId } from '../../engine/lib/names.ts';
import { Problem } from '../../engine/lib/problem.ts';
import { Timestamp } from '../../engine/lib/fields.ts';
import { confirming, paying, type Order } from '../models/order.ts';
import type { StoreOffice } from '../office/store-office.ts';
import { stepBody } from '../resources/checkout.ts';
import { jsonForm } from '../../engine/rest/form.ts';
import { RequestView } from '../../engine/definition/explanation-view.ts';
import type { NextRequest } from '../../engine/definition/explanation.ts';
import { endpoint } from './endpoint.ts';

const Body = z.record(z.string(), z.unknown());

export const NextView = z.strictObject({
  order: z.int(),
  step: z.string().optional().describe('Absent if the order awaits no step'),
  request: RequestView.optional().describe(
    'The request that submits the step, with default values',
  ),
  action: z
    .string()
    .optional()
    .describe('What the request does, for a person: `Choose An Post Standard`; not of added steps'),
  alternatives: z
    .array(z.strictObject({ action: z.string(), body: z.record(z.string(), z.string()) }))
    .optional()
    .describe('What else the step can do, with the values that its request then has'),
  reason: z.string().optional().describe('Why there is no request'),
  needsToken: z
    .literal(true)
    .optional()
    .describe('Whether the store API requires a token for the request'),
});
export type NextView = z.output<typeof NextView>;

const UpcomingView = z.array(
  z.strictObject({
    at: Timestamp,
    event: z.enum(['settle', 'abandon', 'release']),
    order: z.int().optional(),
    payment: z.int().optional(),
    outcome: z.string().optional().describe('Of a payment that settles'),
  }),
);
export type UpcomingView = z.output<typeof UpcomingView>;

const nextPath = '/_backlot/orders/:order_id/next';

export const progressEndpoints = [
  endpoint({
    method: 'GET',
    path: nextPath,
    operationId: 'getNextStep',
    summary: 'Get the next step of an order, with a request that submits it',
    answer: NextView,
    example: { url: '/_backlot/orders/109/next' },
    handle({ office, params }) {
      const backOffice = office();
      return nextOf(backOffice.shop, orderOf(backOffice, params.order_id));
    },
  }),
  endpoint({
    method: 'POST',
    path: nextPath,
    operationId: 'submitNextStep',
    summary: 'Submit the next step of an order; the body replaces default values',
    body: jsonForm(z.looseObject({})),
    answer: NextView,
    errors: ['missing', 'invalid', 'refused'],
    example: { url: '/_backlot/orders/109/next' },
    handle({ office, params, body }) {
      const backOffice = office();
      const order = orderOf(backOffice, params.order_id);
      const { request, reason } = nextOf(backOffice.shop, order);
      if (request === undefined) throw new Problem('refused', reason ?? 'There is no next step.');
      submit(backOffice, { ...request, body: { ...request.body, ...body } });
      return nextOf(backOffice.shop, orderOf(backOffice, params.order_id));
    },
  }),
  endpoint({
    hasPast: true,
    method: 'GET',
    path: '/_backlot/upcoming',
    operationId: 'listUpcomingEvents',
    summary:
      'List the next 50 events of the clock: payments that settle, carts and orders that expire',
    answer: UpcomingView,
    example: { url: '/_backlot/upcoming' },
    handle: ({ office }) => upcomingOf(office().shop),
  }),
];

/** @throws Problem `missing` */
export function orderOf({ shop }: StoreOffice, text: string): Order {
  const id = parseId('order', text);
  const order = shop.db.orders.get(id);
  if (order === undefined) throw new Problem('missing', `There is no order ${id}.`);
  return order;
}

export function nextOf(shop: Shop, order: Order): z.output<typeof NextView> {
  const { id } = order;
  const step = awaitedStep(shop, order);
  if (step === undefined) return { order: id, reason: `Order ${id} awaits no step.` };
  try {
    const body = stepBody(step, chooseInput(shop, order, step));
    const name = pathOf('PUT /api/checkouts/:order_id', { order_id: id });
    const url = addressOf(shop.api.path, name);
    const request = asSent(shop, { method: 'PUT', url, body: { ...body } });
    return {
      order: id,
      step,
      request,
      action: actions[step]?.(shop, order),
      alternatives: step === paying ? [declined] : undefined,
      needsToken: shop.settings.auth === 'oauth2' || undefined,
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { order: id, step, reason: error.message };
  }
}

/** Titles of steps with their default inputs, for a person; others have their names. */
const actions: Readonly<Partial<Record<string, (shop: Shop, order: Order) => string>>> = {
  addressing(shop, order) {
    const { city, country_id: country } = addressingStep.defaultInput(shop, order).shipping;
    return `Ship to ${[city, shop.db.countries.get(country)?.name ?? []].flat().join(', ')}`;
  },
  shipping(shop, order) {
    const ids = new Set(shippingStep.defaultInput(shop, order).values());
    const names = Array.from(ids, (id) => shop.db.shippingMethods.get(id)?.name ?? id);
    return `Choose ${[...new Set(names)].join(' and ')}`;
  },
  payment(shop, order) {
    const id = paymentStep.defaultInput(shop, order);
    return `Choose ${shop.db.paymentMethods.get(id)?.name ?? id}`;
  },
  [confirming]: (_, { total, currency }) => `Confirm ${money(total)} ${currency}`,
  [paying]: (_, { total, currency }) => `Pay ${money(total)} ${currency}`,
};

/** Other inputs that a person may try at the step that pays. */
const declined = { action: 'Pay with a declined card', body: { number: declinedCard } };

/** Returns a request with the ids that clients know. */
function asSent(shop: Shop, request: NextRequest): NextRequest {
  const { method, url, body } = request;
  const plain = { method, url, headers: {}, body: JSON.stringify(body) };
  const sent = shop.api.ids?.outside(shop, plain);
  if (sent === undefined) return request;
  return { method, url: sent.url, body: Body.parse(JSON.parse(String(sent.body))) };
}

/** @throws Problem `refused` with the message of the response */
function submit(office: StoreOffice, { method, url, body }: NextRequest): void {
  const { status, body: text } = office.requestUnobserved({
    method,
    url,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  // A declined purchase was submitted.
  if (status < 300 || status === 402) return;
  throw new Problem('refused', `PUT ${url} returned ${status}: ${text ?? ''}`);
}

/** Returns the next events of the clock, at most 50. */
export function upcomingOf({ db, settings }: Shop): UpcomingView {
  const limit = 50;
  const { expiry, pendingLifetime } = settings;
  const settling = db.settlements.page(0, limit, { by: 'at' });
  const carts = expiry === 'ignore' ? [] : db.orders.page(0, limit, { by: 'expiring' });
  const unpaid = pendingLifetime === undefined ? [] : db.orders.page(0, limit, { by: 'pending' });
  const events: UpcomingView = [
    ...settling.map(({ at, payment_id: payment, outcome }) => {
      const order = db.payments.get(payment)?.order_id;
      return { at, event: 'settle' as const, payment, order, outcome };
    }),
    ...carts.map(({ id, expires_at: at }) => ({ at, event: 'abandon' as const, order: id })),
    ...unpaid.map(({ id, completed_at, created_at }) => ({
      at: addDuration(completed_at ?? created_at, pendingLifetime ?? 'PT0S'),
      event: 'release' as const,
      order: id,
    })),
  ];
  return events
    .toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
    .slice(0, limit);
}
