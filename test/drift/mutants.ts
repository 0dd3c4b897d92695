import { contract } from '../../src/resources/index.ts';
import { oauthEndpoints } from '../../src/resources/oauth.ts';
import { matchRequest } from '../../src/drift/exchange.ts';
import { viewsIn } from '../../src/drift/shape.ts';
import { views } from '../../src/resources/endpoint.ts';
import * as z from 'zod';

/** A response that a mutant changes in place. */
export interface Answer {
  readonly method: string;
  /** The path, without the query. */
  readonly path: string;
  readonly query: string;
  /** The parsed body of the request. */
  readonly sent: Body;
  /** Every object with the shape of a view: by the name of the view. */
  readonly of: (view: string) => Body[];
  status: number;
  headers: Record<string, string>;
  body: Body;
}
// The tests know the bodies.
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

/** One change of a server. */
export interface Mutant {
  readonly name: string;
  readonly change: (answer: Answer) => void;
}

type Send = (url: string, init: RequestInit) => Promise<Response>;

/** Returns a `fetch` whose responses have the change of a mutant. */
export function mutated(send: Send, { change }: Mutant): Send {
  return async (url, init) => {
    const response = await send(url, init);
    const text = await response.text();
    const { pathname, search } = new URL(url);
    const method = init.method ?? 'GET';
    const isJson = response.headers.get('content-type') === 'application/json' && text !== '';
    const body: unknown = isJson ? JSON.parse(text) : undefined;
    const sentText = typeof init.body === 'string' && /^[{[]/.test(init.body) ? init.body : '{}';
    let sent: unknown = {};
    try {
      sent = JSON.parse(sentText);
    } catch {
      // A mutant sees no malformed bodies.
    }
    const answer: Answer = {
      method,
      path: pathname,
      query: decodeURIComponent(search),
      sent,
      of: (view) => {
        const headers = init.headers as Record<string, string>;
        const { row } = matchRequest({
          method,
          url: `${pathname}${search}`,
          headers,
          body: sentText,
        });
        if (row?.answer === undefined || response.status >= 400 || body === undefined) return [];
        return viewsIn(row.answer, body).flatMap((one) => (one.view === view ? [one.value] : []));
      },
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body,
    };
    change(answer);
    const isEmpty = answer.body === undefined || [204, 304].includes(answer.status);
    return new Response(
      isEmpty || method === 'HEAD'
        ? null
        : typeof answer.body === 'string'
          ? answer.body
          : JSON.stringify(answer.body),
      {
        status: answer.status,
        headers: answer.headers,
      },
    );
  };
}

/** Every field of every named view, from the schemas: with a value of another kind. */
function fieldsOf(): { view: string; field: string; isOptional: boolean }[] {
  const seen = new Set<string>();
  const found: { view: string; field: string; isOptional: boolean }[] = [];
  const visit = (schema: z.ZodType): void => {
    if (schema instanceof z.ZodOptional) visit(schema.unwrap() as z.ZodType);
    else if (schema instanceof z.ZodArray) visit(schema.element as z.ZodType);
    else if (schema instanceof z.ZodUnion)
      for (const one of schema.options) visit(one as z.ZodType);
    else if (schema instanceof z.ZodRecord) visit(schema.valueType as z.ZodType);
    else if (schema instanceof z.ZodObject) {
      const view = '_embedded' in schema.shape ? 'Page' : views.get(schema)?.id;
      if (view !== undefined && !seen.has(view)) {
        seen.add(view);
        for (const [field, inner] of Object.entries(schema.shape)) {
          found.push({ view, field, isOptional: inner instanceof z.ZodOptional });
        }
      }
      for (const inner of Object.values(schema.shape)) visit(inner as z.ZodType);
    }
  };
  for (const { answer } of [...contract, ...oauthEndpoints])
    if (answer !== undefined) visit(answer);
  return found;
}

const ofOtherKind = (value: unknown): unknown => {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string') return { value };
  return Array.isArray(value) ? { items: value } : [value];
};

/** Two changes of each view: its fields and the kinds of changes take turns. */
function fieldMutants(): Mutant[] {
  const byView = Map.groupBy(fieldsOf(), ({ view }) => view);
  return Array.from(byView).flatMap(([view, fields], turn) =>
    [0, 1].map((which): Mutant => {
      const kind = (turn + which * 2) % 4;
      // An optional text that is left out cannot be told from one that the record lacks.
      const usable = fields.filter(({ isOptional }) => kind > 1 || !isOptional);
      const { field } = usable[(turn * 7 + which * 3) % usable.length]!;
      const name = ['gone', 'renamed', 'of another kind', 'joined by another'][kind];
      return {
        name: `${view}.${field} is ${name}`,
        change({ of }) {
          for (const value of of(view)) {
            if (kind === 3) value[`${field}_extra`] = 1;
            if (!(field in value) || kind === 3) continue;
            if (kind === 2) value[field] = ofOtherKind(value[field]);
            else {
              if (kind === 1) value[`${field}Value`] = value[field];
              delete value[field];
            }
          }
        },
      };
    }),
  );
}

const orderViews = ['Order', 'OrderInCheckout'];

function eachOrder(answer: Answer, change: (order: Body) => void): void {
  for (const view of orderViews) for (const order of answer.of(view)) change(order);
}

function mutant(name: string, change: Mutant['change']): Mutant {
  return { name, change };
}

/** A mutant of the responses with some status. */
function on(name: string, line: RegExp, status: number, change: Mutant['change']): Mutant {
  return mutant(name, (answer) => {
    if (answer.status === status && line.test(`${answer.method} ${answer.path}`)) change(answer);
  });
}

function status(name: string, line: RegExp, from: number, to: number, body?: object): Mutant {
  return on(`status: ${name}`, line, from, (answer) => {
    answer.status = to;
    if (from === 204) {
      answer.body = body ?? {};
      answer.headers['content-type'] = 'application/json';
    }
    if (answer.body?.code !== undefined) answer.body.code = to;
  });
}

function message(from: string | RegExp, to: string): Mutant {
  return mutant(`message: ${from}`, (answer) => {
    if (answer.status < 400 || answer.body === undefined) return;
    answer.body = JSON.parse(
      JSON.stringify(answer.body).replaceAll(
        typeof from === 'string' ? from : new RegExp(from, 'g'),
        to,
      ),
    );
  });
}

function reversed(
  name: string,
  line: RegExp,
  when: (answer: Answer) => boolean = () => true,
): Mutant {
  return on(`order: ${name}`, line, 200, (answer) => {
    if (when(answer)) answer.body?._embedded?.items?.reverse();
  });
}

function link(view: string, rel: string, from: RegExp, to: string): Mutant {
  return mutant(`link: ${view} ${rel}`, ({ of }) => {
    for (const value of of(view)) {
      const one = value._links?.[rel];
      if (one !== undefined) one.href = one.href.replace(from, to);
    }
  });
}

const list = /^GET \/api\/[\w-]+\/?$/;
const checkout = /^PUT \/api\/checkouts\//;

const statuses = [
  status('200 for a created order', /^POST \/api\/orders\/$/, 201, 200),
  status('200 for a created item', /^POST .*\/items\/$/, 201, 200),
  status('202 for a created user', /^POST \/api\/users\/$/, 201, 202),
  status('200 for a deleted product', /^DELETE \/api\/products\//, 204, 200),
  status('200 for a changed channel', /^PATCH \/api\/channels\//, 204, 200),
  status('422 for invalid parameters', /^(POST|PUT|PATCH) /, 400, 422),
  status('400 for an unknown user', /^GET \/api\/users\//, 404, 400),
  status('410 for a deleted order', /^GET \/api\/orders\/\d+\/$/, 404, 410),
  status('404 for a method that is not allowed', /./, 405, 404),
  status('201 for a password reset', /^POST \/api\/password/, 200, 201),
  status('400 for another content type', /./, 415, 400),
  status('206 for a list', /^GET \/api\/zones\/$/, 200, 206),
];

const headers = [
  on('header: HTML', /^GET \/api\/countries\/\d+$/, 200, (answer) => {
    answer.headers['content-type'] = 'text/html';
  }),
  on('header: no content type', /^GET \/api\/promotions$/, 200, (answer) => {
    delete answer.headers['content-type'];
  }),
  on('header: no Location', /^POST \/api\/channels\/$/, 201, (answer) => {
    delete answer.headers['location'];
  }),
  on('header: Location of the collection', /^POST \/api\/orders\/$/, 201, (answer) => {
    answer.headers['location'] = '/api/orders/';
  }),
  on('header: Location of the item', /^POST .*\/items\/$/, 201, (answer) => {
    answer.headers['location'] += String(answer.body.id);
  }),
  on('header: no Allow', /./, 405, (answer) => {
    delete answer.headers['allow'];
  }),
  on('header: another Allow', /^OPTIONS \/api\/users\/\d+$/, 204, (answer) => {
    answer.headers['allow'] = 'GET, HEAD, OPTIONS';
  }),
  on('header: tokens may be cached', /^POST \/oauth/, 200, (answer) => {
    delete answer.headers['cache-control'];
  }),
  on('header: password tokens may be cached', /^POST \/api\/password/, 200, (answer) => {
    answer.headers['cache-control'] = 'public';
  }),
  on('header: no content type for HEAD', /^HEAD \/api\/products\/$/, 200, (answer) => {
    delete answer.headers['content-type'];
  }),
];

const links = [
  link('Payment', 'order', /\d+$/, '1000'),
  link('Shipment', 'self', /shipments/, 'shipment'),
  link('OrderItem', 'variant', /\/variants\/\d+$/, ''),
  link('Address', 'country', /\/api/, ''),
  link('Coupon', 'self', /promotions/, 'promotion'),
  link('Promotion', 'coupons', /\/$/, ''),
  link('StockLocation', 'self', /^/, 'http://elsewhere.test'),
  link('ShippingMethod', 'zone', /zones/, 'areas'),
  link('Page', 'last', /page=\d+/, 'page=1000'),
  link('Page', 'self', /\?/, '?sort=no&'),
  mutant('link: no next page', ({ of }) => {
    for (const page of of('Page')) delete page._links.next;
  }),
];

const listOrders = [
  reversed('orders', /^GET \/api\/orders\/$/, ({ query }) => !query.includes('sorting')),
  reversed('users', /^GET \/api\/users\/$/, ({ query }) => !query.includes('sorting')),
  reversed('products', /^GET \/api\/products\/$/, ({ query }) => !query.includes('sorting')),
  reversed('coupons', /^GET \/api\/promotions\/\d+\/coupons$/),
  reversed('sorting ignores its direction', list, ({ query }) => query.includes('=desc')),
  reversed('the total is sorted as text', /^GET \/api\/orders\/$/, ({ query }) =>
    query.includes('sorting[total]=desc'),
  ),
  on('order: every page is the first', /^GET \/api\/orders\/$/, 200, (answer) => {
    if (answer.query.includes('page=2'))
      answer.body._embedded.items.unshift(answer.body._embedded.items.pop());
  }),
];

const totals = [
  mutant('total: an item is a cent more', ({ of }) => {
    for (const item of of('OrderItem')) item.total += 1;
  }),
  mutant('total: an order is a cent less', (answer) =>
    eachOrder(answer, (order) => void (order.total -= 1)),
  ),
  mutant('total: included taxes are added', (answer) =>
    eachOrder(answer, (order) => {
      const neutral = order.adjustments.filter((one: Body) => one.neutral);
      for (const { amount } of neutral) order.adjustments_total += amount;
    }),
  ),
  mutant('total: taxes are rounded down', (answer) =>
    eachOrder(answer, (order) => {
      for (const one of order.adjustments) {
        if (one.label !== 'tax' || one.amount === 0) continue;
        one.amount -= 1;
        if (one.neutral) continue;
        order.adjustments_total -= 1;
        order.total -= 1;
        for (const payment of order.payments) payment.amount -= 1;
      }
    }),
  ),
  mutant('total: amounts are in major units', (answer) =>
    eachOrder(answer, (order) => void (order.total /= 100)),
  ),
  mutant('total: unit prices are in cents of cents', ({ of }) => {
    for (const item of of('OrderItem')) item.unit_price *= 100;
  }),
  mutant('total: a new payment is a cent less', (answer) =>
    eachOrder(answer, (order) => {
      for (const payment of order.payments) if (payment.state === 'new') payment.amount -= 1;
    }),
  ),
  mutant('total: the last item does not count', (answer) =>
    eachOrder(answer, (order) => {
      const { total = 0 } = order.items.at(-1) ?? {};
      order.items_total -= total;
      order.total = Math.max(0, order.items_total + order.adjustments_total);
    }),
  ),
  mutant('total: one unit less', ({ of }) => {
    for (const item of of('OrderItem')) item.inventory_units.pop();
  }),
  mutant('total: pages are rounded down', ({ of }) => {
    for (const page of of('Page')) page.pages = Math.max(1, Math.floor(page.total / page.limit));
  }),
];

const transitions = [
  on('transition: confirm pays', checkout, 200, ({ body }) => {
    if (body.state === 'pending') body.state = 'confirmed';
  }),
  on('transition: a purchase leaves the order pending', checkout, 200, ({ body }) => {
    if (body.state === 'confirmed')
      Object.assign(body, { state: 'pending', checkout_state: 'finalize' });
  }),
  mutant('transition: a declined payment is cancelled', ({ of }) => {
    for (const payment of of('Payment'))
      if (payment.state === 'failed') payment.state = 'cancelled';
  }),
  on('transition: shipments of a paid order wait', checkout, 200, ({ body }) => {
    for (const one of body.shipments ?? [])
      if (one.state === 'ready' || one.state === 'backordered') one.state = 'onhold';
  }),
  on('transition: units are sold at once', /^POST .*\/items\/$/, 201, ({ body }) => {
    for (const unit of body.inventory_units) unit.inventory_state = 'sold';
  }),
  on('transition: steps in any order', checkout, 400, (answer) => {
    if (!/awaits/.test(answer.body.message)) return;
    answer.status = 200;
    answer.body = {};
  }),
  on('transition: an empty order can be addressed', checkout, 400, (answer) => {
    if (/empty/.test(answer.body.message)) Object.assign(answer, { status: 204, body: undefined });
  }),
  on('transition: deleted records stay', /^GET \/api\/channels\/\d+$/, 404, (answer) => {
    answer.status = 200;
    answer.body = {};
  }),
  on('transition: addressing skips shipping', checkout, 200, ({ body }) => {
    if (body.checkout_state === 'addressing') body.checkout_state = 'shipping';
  }),
  on('transition: a changed user is not changed', /^GET \/api\/users\/\d+$/, 200, ({ body }) => {
    body.enabled = false;
  }),
];

const messages = [
  message('This value should not be blank.', 'This field is required.'),
  message('Validation Failed', 'Invalid'),
  message('Requested order does not exist', 'Order not found'),
  message('Order cannot be empty!', 'Add an item first.'),
  message('User not found!', 'Unknown user.'),
  message('Password token not expired!', 'Too early.'),
  message('This value is already used.', 'Taken.'),
  message('The credit card number you entered is invalid.', 'Wrong number.'),
  message('Invalid grant_type parameter or parameter missing', 'Bad request'),
  message('Quantity must be at least 1.', 'Quantity must be positive.'),
  message('This value is not a valid email address.', 'Wrong address.'),
  on('error: valid parameters are left out of the tree', /^POST /, 400, ({ body }) => {
    const { children = {} } = body.errors ?? {};
    for (const [name, child] of Object.entries(children))
      if (Array.isArray(child)) delete children[name];
  }),
  on('error: the tree is a list', /^(POST|PUT) /, 400, ({ body }) => {
    if (body.errors !== undefined) body.errors = Object.values(body.errors.children ?? {});
  }),
  on('error: the code is text', /./, 404, ({ body }) => {
    body.code = String(body.code);
  }),
];

/** All mutants: 120, one change each. */
export const mutants: readonly Mutant[] = [
  ...statuses,
  ...headers,
  ...links,
  ...listOrders,
  ...totals,
  ...transitions,
  ...messages,
  ...fieldMutants(),
].slice(0, 120);
