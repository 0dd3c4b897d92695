import { unixSeconds, bodyPath, type Report } from './finding.ts';
import type { Settings } from '../scenario/scenario.ts';
import type { Viewed } from './shape.ts';

/** What is known about the server that a response came from. */
export interface Known {
  /** The path in front of `/api` in links; links without it are accepted, too. */
  readonly prefix?: string | undefined;
  /** The settings that the server has, as far as they are known. */
  readonly settings?: Partial<Settings> | undefined;
  /** The path and the query of the request. */
  readonly url: string;
}

type Rule = (viewed: Viewed, report: Report, known: Known) => void;

/** What the contract says of each view beyond its shape. */
const rules: Readonly<Record<string, readonly Rule[]>> = {
  Page: [pageRule],
  Order: [orderTotals, orderStates, orderParts],
  OrderInCheckout: [orderTotals, orderStates, orderParts],
  OrderItem: [itemTotals, itemLinks],
  InventoryUnit: [belongsToOrder],
  Payment: [belongsToOrder, paymentMethodLink],
  Shipment: [belongsToOrder, shipmentMethodLink],
  Adjustment: [taxDescription],
  User: [canonical],
  UserInOrder: [canonical],
  PasswordResetting: [canonical],
};

/** Reports what is wrong with a view: its totals, links, states and times. */
export function checkView(viewed: Viewed, report: Report, known: Known): void {
  checkLinks(viewed, report, known);
  stampsRule(viewed, report);
  for (const rule of rules[viewed.view] ?? []) rule(viewed, report, known);
}

type Values = Readonly<Record<string, unknown>>;

function at(viewed: Viewed, ...names: PropertyKey[]): string {
  return bodyPath([...viewed.path, ...names]);
}

function expectEqual(
  report: Report,
  kind: Parameters<Report>[0],
  place: string,
  expected: unknown,
  why: string,
  received: unknown,
): void {
  if (expected !== received) {
    report(
      kind,
      place,
      `${expected === undefined ? 'nothing' : JSON.stringify(expected)}: ${why}`,
      received,
    );
  }
}

// Links

/** The targets of links by their names. `*` is an id. */
const targets: Readonly<Record<string, string>> = {
  order: '/api/orders/*',
  'payment-method': '/api/payment-methods/*',
  method: '/api/shipping-methods/*',
  product: '/api/products/*',
  variant: '/api/products/*/variants/*',
  country: '/api/countries/*',
  province: '/api/countries/*/provinces/*',
  zone: '/api/zones/*',
  promotion: '/api/promotions/*',
  coupons: '/api/promotions/*/coupons/',
};

/** The targets of `self` by view. The last id is that of the record. */
const selves: Readonly<Record<string, string>> = {
  Payment: '/api/payments/*',
  PaymentMethod: '/api/payment-methods/*',
  Shipment: '/api/shipments/*',
  ShippingMethod: '/api/shipping-methods/*',
  Coupon: '/api/promotions/*/coupons/*',
  Promotion: '/api/promotions/*',
  Province: '/api/countries/*/provinces/*',
  Country: '/api/countries/*',
  Zone: '/api/zones/*',
  StockLocation: '/api/stock-locations/*',
  ChannelInCheckout: '/api/channels/*',
};

function linksOf({ value }: Viewed): [name: string, href: string][] {
  const links = (value['_links'] ?? {}) as Readonly<Record<string, { href: string } | undefined>>;
  return Object.entries(links).flatMap(([name, link]) =>
    link === undefined ? [] : [[name, link.href] as [string, string]],
  );
}

function checkLinks(viewed: Viewed, report: Report, known: Known): void {
  if (viewed.view === 'Page') return;
  for (const [name, href] of linksOf(viewed)) {
    const target = name === 'self' ? selves[viewed.view] : targets[name];
    if (target === undefined) continue;
    const place = at(viewed, '_links', name, 'href');
    const pattern = new RegExp(`^${target.replaceAll('*', '[1-9]\\d*')}$`);
    const path = withoutPrefix(href, known);
    if (!pattern.test(path)) report('link', place, target.replaceAll('*', ':id'), href);
    else if (name === 'self' && idsIn(path).at(-1) !== viewed.value['id']) {
      report('link', place, `the record itself, ${String(viewed.value['id'])}`, href);
    }
  }
}

/** Removes the origin and the path in front of `/api`. */
export function withoutPrefix(href: string, { prefix = '' }: Pick<Known, 'prefix'>): string {
  return prefix !== '' && href.startsWith(`${prefix}/`) ? href.slice(prefix.length) : href;
}

/** Returns the ids in the path of a link, outermost first. */
export function idsIn(href: string): number[] {
  return Array.from(href.matchAll(/\/(\d+)(?=\/|$)/g), ([, id]) => Number(id));
}

function linkId(viewed: Viewed, name: string): number | undefined {
  const href = linksOf(viewed).find(([one]) => one === name)?.[1];
  return href === undefined ? undefined : idsIn(href).at(-1);
}

const orderViews = new Set(['Order', 'OrderInCheckout']);

/** A payment, a shipment or a unit in an order links to that order. */
function belongsToOrder(viewed: Viewed, report: Report): void {
  const order = viewed.within.find(({ view }) => orderViews.has(view));
  if (order === undefined) return;
  const place = at(viewed, '_links', 'order', 'href');
  expectEqual(
    report,
    'link',
    place,
    order.value['id'],
    'the id of its order',
    linkId(viewed, 'order'),
  );
}

function paymentMethodLink(viewed: Viewed, report: Report): void {
  const method = viewed.value['method'] as Values | undefined;
  const place = at(viewed, '_links', 'payment-method');
  if (method === undefined) report('shape', at(viewed, 'method'), 'the payment method', undefined);
  expectEqual(
    report,
    'link',
    place,
    method?.['id'],
    'the id of `method`',
    linkId(viewed, 'payment-method'),
  );
}

function shipmentMethodLink(viewed: Viewed, report: Report): void {
  const method = viewed.value['method'] as Values | undefined;
  const place = at(viewed, '_links', 'method');
  expectEqual(
    report,
    'link',
    place,
    method?.['id'],
    'the id of `method`',
    linkId(viewed, 'method'),
  );
}

function itemLinks(viewed: Viewed, report: Report): void {
  const variant = viewed.value['variant'] as Values;
  const product = variant['object'] as Values;
  const place = (name: string): string => at(viewed, '_links', name, 'href');
  expectEqual(
    report,
    'link',
    place('variant'),
    variant['id'],
    'the id of `variant`',
    linkId(viewed, 'variant'),
  );
  expectEqual(
    report,
    'link',
    place('product'),
    product['id'],
    'the id of `variant.object`',
    linkId(viewed, 'product'),
  );
}

// Pages

function pageRule(viewed: Viewed, report: Report, known: Known): void {
  const page = viewed.value as {
    readonly page: number;
    readonly limit: number;
    readonly pages: number;
    readonly total: number;
    readonly _embedded: { readonly items: readonly unknown[] };
  };
  const { url, settings = {} } = known;
  const [path = '', query = ''] = url.split('?');
  const sent = new URLSearchParams(query);
  const number = Number(sent.get('page') ?? 1);
  const asked = Number(sent.get('limit') ?? 10);
  expectEqual(report, 'page', at(viewed, 'page'), number, 'the page requested', page.page);
  const { maxLimit } = settings;
  if (maxLimit !== undefined || page.limit > asked) {
    const limit = Math.min(asked, maxLimit ?? asked);
    expectEqual(report, 'page', at(viewed, 'limit'), limit, 'the limit requested', page.limit);
  } else if (page.limit < asked && asked <= 10) {
    expectEqual(report, 'page', at(viewed, 'limit'), asked, 'the limit requested', page.limit);
  }
  const pages = Math.max(1, Math.ceil(page.total / page.limit));
  expectEqual(report, 'page', at(viewed, 'pages'), pages, 'total / limit, rounded up', page.pages);
  const rest = page.total - (page.page - 1) * page.limit;
  const count = Math.max(0, Math.min(page.limit, rest));
  const { length } = page._embedded.items;
  expectEqual(
    report,
    'page',
    at(viewed, '_embedded', 'items'),
    count,
    'the number of items',
    length,
  );
  const kept = new URLSearchParams();
  for (const [name, value] of sent)
    if (/^(criteria|sorting)\[/.test(name)) kept.append(name, value);
  const start = `${path.endsWith('/') ? path : `${path}/`}?${kept.size > 0 ? `${kept}&` : ''}`;
  const hrefs: Readonly<Record<string, number | undefined>> = {
    self: page.page,
    first: 1,
    last: pages,
    next: page.page < pages ? page.page + 1 : undefined,
  };
  const links = new Map(linksOf(viewed));
  for (const [name, to] of Object.entries(hrefs)) {
    const expected = to === undefined ? undefined : `${start}page=${to}&limit=${page.limit}`;
    const href = links.get(name);
    const received = href === undefined ? undefined : withoutPrefix(href, known);
    if (decoded(expected) !== decoded(received)) {
      report('link', at(viewed, '_links', name), expected ?? 'no such link', href);
    }
  }
}

/** Two spellings of one URL are the same: `criteria%5Bname%5D` and `criteria[name]`. */
function decoded(url: string | undefined): string | undefined {
  try {
    return url === undefined ? undefined : decodeURIComponent(url.replaceAll('+', ' '));
  } catch {
    return url;
  }
}

// Totals

interface AdjustmentValues {
  readonly label: string;
  readonly amount: number;
  readonly neutral: boolean;
  readonly description: string;
}

interface ItemValues {
  readonly quantity: number;
  readonly unit_price: number;
  readonly total: number;
  readonly adjustments: readonly AdjustmentValues[];
  readonly adjustments_total: number;
  readonly immutable: boolean;
  readonly inventory_units: readonly unknown[];
}

interface OrderValues {
  readonly id: number;
  readonly number?: string;
  readonly completed_at?: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly items: readonly ItemValues[];
  readonly items_total: number;
  readonly adjustments: readonly AdjustmentValues[];
  readonly adjustments_total: number;
  readonly total: number;
  readonly state: string;
  readonly checkout_state: string;
  readonly email: string;
  readonly currency: string;
  readonly user?: Values;
  readonly channel?: Values;
  readonly shipping_address?: Values;
  readonly billing_address?: Values;
  readonly payments: readonly {
    readonly state: string;
    readonly currency: string;
    readonly amount: number;
  }[];
  readonly shipments: readonly { readonly state: string; readonly method?: unknown }[];
}

function isListed(viewed: Viewed): boolean {
  return viewed.within.some(({ view }) => view === 'Page');
}

function sum(adjustments: readonly AdjustmentValues[]): number {
  return adjustments.reduce((total, { amount, neutral }) => (neutral ? total : total + amount), 0);
}

/** With `totals: 'at-steps'`, the totals of a cart are those of its last step. */
function mayBeOutdated(order: Values | undefined, { settings = {} }: Known): boolean {
  return settings.totals !== 'live' && (order === undefined || order['state'] === 'cart');
}

function itemTotals(viewed: Viewed, report: Report, known: Known): void {
  const item = viewed.value as unknown as ItemValues;
  const order = viewed.within.find(({ view }) => orderViews.has(view))?.value;
  if (!isListed(viewed)) {
    const units = item.inventory_units.length;
    expectEqual(
      report,
      'total',
      at(viewed, 'inventory_units'),
      item.quantity,
      'one per quantity',
      units,
    );
    const adjusted = sum(item.adjustments);
    expectEqual(
      report,
      'total',
      at(viewed, 'adjustments_total'),
      adjusted,
      'the sum of its adjustments that are not neutral',
      item.adjustments_total,
    );
  } else {
    for (const name of ['adjustments', 'inventory_units'] as const) {
      expectEqual(report, 'shape', at(viewed, name), 0, 'lists leave them out', item[name].length);
    }
  }
  if (item.total === 0 && mayBeOutdated(order, known)) return;
  const total = Math.max(0, item.quantity * item.unit_price + item.adjustments_total);
  expectEqual(
    report,
    'total',
    at(viewed, 'total'),
    total,
    'quantity × unit_price + adjustments_total, at least 0',
    item.total,
  );
}

function orderTotals(viewed: Viewed, report: Report, known: Known): void {
  const order = viewed.value as unknown as OrderValues;
  const outdated = mayBeOutdated(order as unknown as Values, known);
  if (isListed(viewed)) {
    expectEqual(
      report,
      'shape',
      at(viewed, 'adjustments'),
      0,
      'lists leave them out',
      order.adjustments.length,
    );
  } else if (!outdated) {
    expectEqual(
      report,
      'total',
      at(viewed, 'adjustments_total'),
      sum(order.adjustments),
      'the sum of its adjustments that are not neutral',
      order.adjustments_total,
    );
    checkTaxes(viewed, order, report);
  }
  if (!outdated) {
    const items = order.items.reduce((total, item) => total + item.total, 0);
    expectEqual(
      report,
      'total',
      at(viewed, 'items_total'),
      items,
      'the sum of the totals of its items',
      order.items_total,
    );
  }
  const total = Math.max(0, order.items_total + order.adjustments_total);
  expectEqual(
    report,
    'total',
    at(viewed, 'total'),
    total,
    'items_total + adjustments_total, at least 0',
    order.total,
  );
}

/** `VAT (7.5%)` */
const percentage = /\((-?\d+(?:\.\d+)?)%\)$/;

function taxDescription(viewed: Viewed, report: Report): void {
  const { label, description } = viewed.value as { label: string; description: string };
  if (label === 'tax' && !percentage.test(description)) {
    report(
      'value',
      at(viewed, 'description'),
      'the name of the tax and its rate: VAT (20%)',
      description,
    );
  }
}

/** Each tax is the sum, over some items, of the tax on the item, rounded half away from zero. */
function checkTaxes(viewed: Viewed, order: OrderValues, report: Report): void {
  const items = order.items.filter(({ immutable }) => !immutable).slice(0, 12);
  if (items.length < order.items.length) return;
  for (const [index, tax] of order.adjustments.entries()) {
    const rate = Number(percentage.exec(tax.description)?.[1]) / 100;
    if (tax.label !== 'tax' || Number.isNaN(rate)) continue;
    const taxes = items.map(({ total }) => taxOn(total, rate, tax.neutral));
    const sums = taxes.reduce(
      (found, one) => new Set([...found, ...[...found].map((other) => other + one)]),
      new Set([0]),
    );
    if (items.length > 0 && taxes.some((one) => one !== 0)) sums.delete(0);
    if (sums.has(tax.amount)) continue;
    const expected =
      items.length === 1 ? taxes.join() : `one of ${[...sums].slice(0, 8).join(', ')}`;
    const place = at(viewed, 'adjustments', index, 'amount');
    report('total', place, `${expected}: the tax on its items, each rounded`, tax.amount);
  }
}

function taxOn(base: number, rate: number, isIncluded: boolean): number {
  const tax = isIncluded ? base - base / (1 + rate) : base * rate;
  return Math.sign(tax) * Math.round(Math.abs(Number(tax.toPrecision(15))));
}

// States and parts

/** The steps of the checkout that an order of each state can be at. */
const checkoutStates: Readonly<Record<string, readonly string[]>> = {
  cart: ['cart', 'addressing', 'shipping', 'payment'],
  pending: ['finalize'],
  released: ['finalize'],
  confirmed: ['completed'],
  shipped: ['completed'],
  cancelled: ['completed'],
  returned: ['completed'],
};

const steps = ['cart', 'addressing', 'shipping', 'payment', 'finalize', 'completed'];

function orderStates(viewed: Viewed, report: Report): void {
  const { state, checkout_state, items } = viewed.value as unknown as OrderValues;
  const possible = checkoutStates[state];
  if (possible !== undefined && !possible.includes(checkout_state)) {
    const expected = `${possible.join(' or ')} in state ${state}`;
    report('transition', at(viewed, 'checkout_state'), expected, checkout_state);
  }
  if (steps.indexOf(checkout_state) > 0 && items.length === 0 && state !== 'cart') {
    report('transition', at(viewed, 'items'), `items in an order that is ${state}`, items);
  }
}

/** What a paid order's shipments and units can no longer be. */
const untilPaid = new Set(['checkout', 'pending', 'onhold']);

function orderParts(viewed: Viewed, report: Report): void {
  const order = viewed.value as unknown as OrderValues;
  if (order.state === 'confirmed' || order.state === 'shipped') {
    for (const [index, { state }] of order.shipments.entries()) {
      if (!untilPaid.has(state)) continue;
      const expected = `another state in an order that is ${order.state}`;
      report('transition', at(viewed, 'shipments', index, 'state'), expected, state);
    }
  }
  const isPlaced = order.state !== 'cart' && order.state !== 'abandoned';
  for (const name of ['number', 'completed_at'] as const) {
    const isThere = order[name] !== undefined;
    if (isPlaced && !isThere)
      report('shape', at(viewed, name), `set in state ${order.state}`, order[name]);
    if (order.state === 'cart' && isThere)
      report('shape', at(viewed, name), 'nothing in a cart', order[name]);
  }
  if (order.number !== undefined && !/^\d{9}$/.test(order.number)) {
    report('value', at(viewed, 'number'), 'nine digits', order.number);
  }
  for (const name of ['user', 'channel'] as const) {
    if (order[name] === undefined)
      report('shape', at(viewed, name), 'set in every order', undefined);
  }
  if (!/^[A-Z]{3}$/.test(order.currency)) {
    report('value', at(viewed, 'currency'), 'a code like EUR', order.currency);
  }
  const step = steps.indexOf(order.checkout_state);
  for (const name of ['shipping_address', 'billing_address'] as const) {
    const isThere = order[name] !== undefined;
    if (step > 0 && !isThere)
      report('shape', at(viewed, name), 'set from addressing on', undefined);
  }
  if (unixSeconds(order.expires_at) < unixSeconds(order.created_at)) {
    report(
      'value',
      at(viewed, 'expires_at'),
      `after created_at, ${order.created_at}`,
      order.expires_at,
    );
  }
  for (const [index, payment] of order.payments.entries()) {
    const place = at(viewed, 'payments', index, 'currency');
    expectEqual(
      report,
      'value',
      place,
      order.currency,
      'the currency of its order',
      payment.currency,
    );
    if (payment.state === 'new' && order.state === 'cart') {
      const amount = at(viewed, 'payments', index, 'amount');
      expectEqual(report, 'total', amount, order.total, 'the total of its order', payment.amount);
    }
  }
}

/** Nothing is changed before it is created. */
function stampsRule(viewed: Viewed, report: Report): void {
  const { created_at: created, updated_at: updated } = viewed.value;
  if (typeof created !== 'string' || typeof updated !== 'string' || created === updated) return;
  if (unixSeconds(updated) < unixSeconds(created)) {
    report('value', at(viewed, 'updated_at'), `${created}, created_at, or later`, updated);
  }
}

function canonical(viewed: Viewed, report: Report): void {
  for (const name of ['username', 'email']) {
    const place = at(viewed, `${name}_canonical`);
    const expected = String(viewed.value[name]).toLowerCase();
    expectEqual(
      report,
      'value',
      place,
      expected,
      `${name} in lower case`,
      viewed.value[`${name}_canonical`],
    );
  }
}
