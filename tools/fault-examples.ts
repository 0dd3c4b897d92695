import { openSessions } from '../src/engine/sessions/server.ts';
import type { ApiResponse } from '../src/engine/rest/message.ts';
import { openStoreOffice } from '../src/shop/open-store-office.ts';
import type { ScenarioInput } from '../src/shop/office/scenario.ts';

/** An example of a fault in `docs/faults.md`. */
export interface FaultExample {
  /** The fields of the rule that it shows: `match.path`, `limit.per`. */
  readonly shows: readonly string[];
  readonly rule: FaultInput;
  /** The header that does the same to one request, if there is one. */
  readonly prefer?: string;
  /** Requests in their order, a form after the URL: `POST /api/orders/ channel=1`. */
  readonly requests: readonly string[];
  /** Whether the table has the bodies of the responses. */
  readonly showsBodies?: true;
}

type FaultInput = NonNullable<ScenarioInput['faults']>[number];

const read = 'GET /api/orders/1';
const create = 'POST /api/orders/ channel=1&user=3&currency=EUR';
const created = 'GET /api/orders/121';

export const faultExamples: readonly FaultExample[] = [
  {
    shows: ['status'],
    rule: { status: 503 },
    prefer: 'status=503',
    requests: [read],
    showsBodies: true,
  },
  {
    shows: ['body', 'headers'],
    rule: { status: 429, body: { error: 'slow down' }, headers: { 'Retry-After': '30' } },
    requests: [read],
    showsBodies: true,
  },
  { shows: ['delay'], rule: { delay: '2s' }, prefer: 'delay=2s', requests: [read] },
  { shows: ['delay'], rule: { delay: { from: 500, to: 3000 } }, requests: [read, read] },
  { shows: ['delay'], rule: { delay: { median: 200, p95: '2s' } }, requests: [read, read] },
  {
    shows: ['connection'],
    rule: { connection: 'drop' },
    prefer: 'connection=drop',
    requests: [read],
  },
  {
    shows: ['corrupt'],
    rule: { match: { method: 'POST' }, corrupt: 'cut-off' },
    prefer: 'corrupt=cut-off',
    requests: [create, created],
    showsBodies: true,
  },
  {
    shows: ['corrupt'],
    rule: { corrupt: 'malformed' },
    prefer: 'corrupt=malformed',
    requests: [read],
    showsBodies: true,
  },
  { shows: ['hold'], rule: { hold: 'orders' }, prefer: 'hold=orders', requests: [read] },
  {
    shows: ['limit', 'limit.requests', 'limit.per'],
    rule: { limit: { requests: 2, per: 'PT1M' } },
    requests: [read, read, read],
  },
  {
    shows: ['after'],
    rule: { match: { method: 'POST' }, status: 503, after: true },
    prefer: 'status=503, after',
    requests: [create, created],
  },
  {
    shows: ['after'],
    rule: { match: { method: 'POST' }, corrupt: 'cut-off', after: false },
    prefer: 'corrupt=cut-off, after=false',
    requests: [create, created],
  },
  { shows: ['first'], rule: { status: 503, first: 1 }, requests: [read, read] },
  { shows: ['every'], rule: { status: 503, every: 2 }, requests: [read, read, read, read] },
  {
    shows: ['probability'],
    rule: { status: 503, probability: 0.5 },
    requests: [read, read, read, read],
  },
  { shows: ['off'], rule: { status: 503, off: true }, requests: [read] },
  {
    shows: ['match', 'match.method'],
    rule: { match: { method: 'DELETE' }, status: 503 },
    requests: [read, 'DELETE /api/orders/1'],
  },
  {
    shows: ['match.path'],
    rule: { match: { path: '/api/orders/:id' }, status: 503 },
    requests: [read, 'GET /api/users/1'],
  },
  {
    shows: ['match.session'],
    rule: { match: { session: 'ada' }, status: 503 },
    requests: ['GET /s/ada/api/orders/1'],
  },
  {
    shows: ['match.step'],
    rule: { match: { step: 'payment' }, status: 503 },
    requests: [create, 'PUT /api/checkouts/121 paymentMethod=1'],
  },
  {
    shows: ['match.parameters'],
    rule: { match: { parameters: { user: 3 } }, status: 503 },
    requests: [create, create.replace('user=3', 'user=4')],
  },
];

/** Returns the responses to the requests of an example in a new shop, by its rule or by its header. */
export function responsesTo(
  { rule, prefer, requests }: FaultExample,
  way: 'rule' | 'Prefer' = 'rule',
): readonly ApiResponse[] {
  const server = openSessions(openStoreOffice());
  const { session } = rule.match ?? {};
  const office = session === undefined ? server.shared : server.sessions.use(session).office;
  if (way === 'rule') office.faults.add(rule);
  return requests.map((line) => {
    const [method = '', url = '', body] = line.split(' ');
    // The header of an example is for requests that its rule matches.
    const isMatched = rule.match?.method === undefined || rule.match.method === method;
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      ...(way === 'Prefer' && prefer !== undefined && isMatched && { prefer }),
    };
    return server.answer({ method, url, headers, ...(body !== undefined && { body }) });
  });
}
