import { fieldMutants } from './field-mutants.ts';
import { mutant, on, type Answer, type Mutant } from './mutator.ts';
import { totals, transitions } from './order-mutants.ts';

function withStatus(name: string, line: RegExp, from: number, to: number, body?: object): Mutant {
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

const statuses = [
  withStatus('200 for a created order', /^POST \/api\/orders\/$/, 201, 200),
  withStatus('200 for a created item', /^POST .*\/items\/$/, 201, 200),
  withStatus('202 for a created user', /^POST \/api\/users\/$/, 201, 202),
  withStatus('200 for a deleted product', /^DELETE \/api\/products\//, 204, 200),
  withStatus('200 for a changed channel', /^PATCH \/api\/channels\//, 204, 200),
  withStatus('422 for invalid parameters', /^(POST|PUT|PATCH) /, 400, 422),
  withStatus('400 for an unknown user', /^GET \/api\/users\//, 404, 400),
  withStatus('410 for a deleted order', /^GET \/api\/orders\/\d+\/$/, 404, 410),
  withStatus('404 for a method that is not allowed', /./, 405, 404),
  withStatus('201 for a password reset', /^POST \/api\/password/, 200, 201),
  withStatus('400 for another content type', /./, 415, 400),
  withStatus('206 for a list', /^GET \/api\/zones\/$/, 200, 206),
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
  on('header: tokens as text', /^POST \/oauth/, 200, (answer) => {
    answer.headers['content-type'] = 'text/plain';
  }),
  on('header: password tokens without a content type', /^POST \/api\/password/, 200, (answer) => {
    delete answer.headers['content-type'];
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
