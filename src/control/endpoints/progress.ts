import * as z from 'zod';
import { ScriptRuleInput, scriptRuleIssues } from '../../checkout/script-rules.ts';
import { factsOf, matchesFacts } from '../../checkout/script.ts';
import { chooseInput } from '../../checkout/steps.ts';
import { faultInput } from '../../faults/fault-rule.ts';
import { faultIssues } from '../../faults/fault-rules.ts';
import { definitions } from '../../models/database.ts';
import { partsOf } from '../../faults/endpoint-match.ts';
import { matchesRequest } from '../../faults/select-faults.ts';
import type { JournalEntry } from '../../journal/recorded-exchange.ts';
import { addDuration } from '../../lib/duration.ts';
import { pathOf } from '../../client.ts';
import { parseId } from '../../lib/names.ts';
import { invalidFields, Problem } from '../../lib/problem.ts';
import { Timestamp } from '../../lib/fields.ts';
import type { Order } from '../../models/order.ts';
import type { BackOffice } from '../../office/back-office.ts';
import { stepBody } from '../../resources/checkout.ts';
import { parseTarget } from '../../rest/serve.ts';
import { jsonForm } from '../../rest/form.ts';
import { endpoint } from '../endpoint.ts';

export const NextView = z.strictObject({
  order: z.int(),
  step: z.string().optional().describe('Absent if the order awaits no step'),
  request: z
    .strictObject({ method: z.string(), url: z.string(), body: z.record(z.string(), z.unknown()) })
    .optional()
    .describe('The request that submits the step, with default values'),
  reason: z.string().optional().describe('Why there is no request'),
  needsToken: z
    .literal(true)
    .optional()
    .describe('Whether the store API requires a token for the request'),
});

const PreviewInput = z.strictObject({
  fault: faultInput(definitions.faultRules).optional().describe('A fault, as it would be added'),
  script: ScriptRuleInput.optional().describe('A script rule, as it would be added'),
});

const PreviewView = z.strictObject({
  matched: z.int().describe('Number of recorded requests that the rule would have matched'),
  of: z.int().describe('Number of recorded requests'),
  entries: z.array(z.int()).describe('Ids of the last 100 of them'),
});

const UpcomingView = z.array(
  z.strictObject({
    at: Timestamp,
    event: z.enum(['settle', 'abandon', 'release']),
    order: z.int().optional(),
    payment: z.int().optional(),
    outcome: z.string().optional().describe('Of a payment that settles'),
  }),
);

const nextPath = '/_backlot/orders/:order_id/next';

export const progressEndpoints = [
  endpoint({
    method: 'GET',
    path: nextPath,
    operationId: 'getNextStep',
    summary: 'Get the next step of an order, with a request that submits it',
    status: 200,
    answer: NextView,
    errors: ['missing'],
    example: { url: '/_backlot/orders/109/next' },
    handle({ office, params }) {
      const backOffice = office();
      return nextOf(backOffice, orderOf(backOffice, params.order_id));
    },
  }),
  endpoint({
    method: 'POST',
    path: nextPath,
    operationId: 'submitNextStep',
    summary: 'Submit the next step of an order; the body replaces default values',
    body: jsonForm(z.looseObject({})),
    status: 200,
    answer: NextView,
    errors: ['missing', 'invalid', 'refused'],
    example: { url: '/_backlot/orders/109/next' },
    handle({ office, params, body }) {
      const backOffice = office();
      const order = orderOf(backOffice, params.order_id);
      const { request, reason } = nextOf(backOffice, order);
      if (request === undefined) throw new Problem('refused', reason ?? 'There is no next step.');
      submit(backOffice, { ...request, body: { ...request.body, ...body } });
      return nextOf(backOffice, orderOf(backOffice, params.order_id));
    },
  }),
  endpoint({
    method: 'POST',
    path: '/_backlot/rules/preview',
    operationId: 'previewRule',
    summary: 'Count the recorded requests that a fault or a script rule would have matched',
    body: jsonForm(PreviewInput),
    status: 200,
    answer: PreviewView,
    errors: ['invalid'],
    example: {
      url: '/_backlot/rules/preview',
      body: { fault: { match: { path: '/api/orders/:order_id' }, status: 503 } },
    },
    handle({ office, body: { fault, script } }) {
      if ((fault === undefined) === (script === undefined))
        throw new Problem('invalid', 'Give either fault or script.');
      const backOffice = office();
      const issues =
        fault === undefined ? scriptRuleIssues(script!) : faultIssues(fault, backOffice.shop.api);
      if (issues.length > 0) throw invalidFields(issues);
      const recorded = backOffice.journal.entries();
      const matched = recorded.filter((entry) =>
        fault === undefined
          ? matchesScript(backOffice, entry, script!)
          : matchesFault(entry, fault.match),
      );
      const entries = matched.slice(-100).map(({ id }) => id);
      return { matched: matched.length, of: recorded.length, entries };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/upcoming',
    operationId: 'listUpcomingEvents',
    summary:
      'List the next 50 events of the clock: payments that settle, carts and orders that expire',
    status: 200,
    answer: UpcomingView,
    errors: [],
    example: { url: '/_backlot/upcoming' },
    handle: ({ office }) => upcomingOf(office()),
  }),
];

/** @throws Problem `missing` */
export function orderOf({ shop }: BackOffice, text: string): Order {
  const id = parseId('order', text);
  const order = shop.db.orders.get(id);
  if (order === undefined) throw new Problem('missing', `There is no order ${id}.`);
  return order;
}

export function nextOf(
  { shop, checkout, settings }: BackOffice,
  order: Order,
): z.output<typeof NextView> {
  const { id } = order;
  const step = checkout.awaited(id);
  if (step === undefined) return { order: id, reason: `Order ${id} awaits no step.` };
  try {
    const body = stepBody(step, chooseInput(shop, order, step)) as { [name: string]: unknown };
    const url = pathOf('PUT /api/checkouts/:order_id', { order_id: id });
    const request = { method: 'PUT', url, body: { ...body } };
    return { order: id, step, request, ...(settings.auth === 'oauth2' && { needsToken: true }) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { order: id, step, reason: error.message };
  }
}

/** @throws Problem `refused` with the message of the response */
function submit(
  office: BackOffice,
  { method, url, body }: NonNullable<z.output<typeof NextView>['request']>,
): void {
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

function matchesFault(
  { method, url, session, step, request }: JournalEntry,
  match: Parameters<typeof matchesRequest>[0],
): boolean {
  const { path } = parseTarget(url);
  const parameter = (name: string) => request.query[name] ?? request.body?.[name];
  return matchesRequest(match, { method, path, session, step, parameter }, partsOf(path));
}

/** Compares the order as it is now. Only the last four digits of a card are recorded. */
function matchesScript(
  { shop }: BackOffice,
  { step, url, request }: JournalEntry,
  { on, match }: z.output<typeof ScriptRuleInput>,
): boolean {
  if (step !== on) return false;
  const order = shop.db.orders.getWithDeleted(Number(/\d+/.exec(url)?.[0] ?? 0));
  const { number } = (request.body ?? {}) as { readonly number?: unknown };
  const card = typeof number === 'string' ? number.slice(-4) : undefined;
  const facts = order === undefined ? {} : factsOf(shop, order);
  const lastFour = match.card?.slice(-4);
  return matchesFacts(
    lastFour === undefined ? match : { ...match, card: lastFour },
    card === undefined ? facts : { ...facts, card },
  );
}

function upcomingOf({ shop }: BackOffice): z.output<typeof UpcomingView> {
  const { db, settings } = shop;
  const limit = 50;
  const settling = db.settlements.page(0, limit, { by: 'at' }).map((one) => ({
    at: one.at,
    event: 'settle' as const,
    payment: one.payment_id,
    order: db.payments.get(one.payment_id)?.order_id,
    outcome: one.outcome,
  }));
  const carts = settings.expiry === 'ignore' ? [] : db.orders.page(0, limit, { by: 'expiring' });
  const abandoned = carts.map(({ id, expires_at: at }) => ({
    at,
    event: 'abandon' as const,
    order: id,
  }));
  const { pendingLifetime } = settings;
  const unpaid = pendingLifetime === undefined ? [] : db.orders.page(0, limit, { by: 'pending' });
  const released = unpaid.map(({ id, completed_at, created_at }) => ({
    at: addDuration(completed_at ?? created_at, pendingLifetime ?? 'PT0S'),
    event: 'release' as const,
    order: id,
  }));
  return [...settling, ...abandoned, ...released]
    .toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
    .slice(0, limit);
}
