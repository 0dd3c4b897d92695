import { contract } from '../resources/index.ts';
import type { ShopEndpoint } from '../resources/endpoint.ts';
import { endpoints } from '../office/open-back-office.ts';
import { createApiRouter, allowedMethods } from '../rest/router.ts';
import { idsIn, withoutPrefix } from './rule.ts';
import { Unreachable } from './client.ts';
import { inParallel, type Inspection, type Seen } from './inspection.ts';
import { bodyPath } from './finding.ts';

/** No server has a record with this id. */
const unknownId = '999999999';

type Item = Readonly<Record<string, unknown>> & { readonly id: number };

/** A collection whose items have endpoints of their own. */
interface Collection {
  readonly list: ShopEndpoint;
  /** The endpoint of one item: `/api/orders/:order_id/`. */
  readonly single: ShopEndpoint;
}

const reads = contract.filter(({ method }) => method === 'GET');

const collections: readonly Collection[] = reads
  .filter(({ path }) => !path.includes(':'))
  .flatMap((list) => {
    const single = reads.find(({ path }) => isItemOf(path, list.path));
    return single === undefined ? [] : [{ list, single }];
  });

function isItemOf(path: string, list: string): boolean {
  const start = list.endsWith('/') ? list : `${list}/`;
  return path.startsWith(start) && /^:\w+\/?$/.test(path.slice(start.length));
}

/** The default order of each collection (default: by id, ascending). */
const orders: Readonly<Record<string, readonly string[]>> = {
  orders: ['-updated_at', '-created_at', '-id'],
  shipments: ['-updated_at', '-created_at', '-id'],
  products: ['-created_at', '-id'],
  users: ['-id'],
};

/** What the reads have found, for later requests. */
export interface Found {
  /** Items of the collections by resource: `orders`. */
  readonly items: Map<string, readonly Item[]>;
  /** Links to follow: each with the place where it was first found. */
  readonly links: Map<string, string>;
}

/**
 * Checks every endpoint that reads, with the methods GET, HEAD and OPTIONS only.
 *
 * @throws Unreachable if the server does not respond, or with something else than this API
 */
export async function checkReads(inspection: Inspection): Promise<Found> {
  const found: Found = { items: new Map(), links: new Map() };
  await inParallel(collections, async (collection) => {
    const name = resourceName(collection);
    // Later checks need the catalogue, whatever is to be checked.
    if (!inspection.includes(collection.list.path) && !catalogue.has(name)) return;
    await checkCollection(inspection, collection, found);
  });
  await inParallel(
    found.items.get('orders') ?? [],
    (order) => checkOrder(inspection, order, found),
    4,
  );
  await checkCoupons(inspection, found);
  await followLinks(inspection, found);
  await checkErrors(inspection);
  return found;
}

const catalogue = new Set(['channels', 'countries', 'payment-methods', 'products', 'orders']);

function resourceName({ list }: Collection): string {
  return list.path.split('/')[2] ?? '';
}

interface PageBody {
  readonly total: number;
  readonly limit: number;
  readonly _embedded: { readonly items: readonly Item[] };
}

/** Returns the page of a response, if it has one. */
function pageIn({ status, json }: Seen): PageBody | undefined {
  const page = json as PageBody | undefined;
  return status === 200 && Array.isArray(page?._embedded?.items) ? page : undefined;
}

async function checkCollection(
  inspection: Inspection,
  collection: Collection,
  found: Found,
): Promise<void> {
  const { list, single } = collection;
  const name = resourceName(collection);
  const first = await listOf(inspection, `${list.path}?limit=40`, orders[name] ?? ['id']);
  await listOf(inspection, list.path, orders[name] ?? ['id']);
  const items = chosen(name, first?._embedded.items ?? []);
  found.items.set(name, items);
  if (!inspection.includes(list.path)) return;
  const total = first?.total ?? 0;
  const pages = [`${list.path}?page=99999999`, `${list.path}?limit=1`];
  if (total > 3) pages.push(`${list.path}?limit=3&page=2`);
  for (const url of pages) await listOf(inspection, url, orders[name] ?? ['id']);
  if (total > 3) await checkSecondPage(inspection, list.path);
  await checkSorting(inspection, list);
  await checkFilters(inspection, name, list.path, first?._embedded.items ?? []);
  await inParallel(items, async (item) => {
    const request = { method: 'GET', url: single.path.replace(/:\w+/, String(item.id)) };
    const seen = await inspection.ask(request);
    if (inspection.expectStatus(request, seen, 200, `${list.path} lists this record`)) {
      checkSame(inspection, request.url, item, seen.json);
      collectLinks(seen.json, request.url, found);
    }
  });
  await checkMethods(inspection, list.path, list);
  if (items[0] !== undefined) {
    await checkMethods(inspection, single.path.replace(/:\w+/, String(items[0].id)), single);
  }
  for (const id of [unknownId, '0', 'none']) {
    await inspection.askForError({ method: 'GET', url: single.path.replace(/:\w+/, id) });
  }
  for (const query of ['page=0', 'limit=0', 'limit=many', 'page=1.5', 'sorting[id]=sideways']) {
    await inspection.askForError({ method: 'GET', url: `${list.path}?${query}` });
  }
  if (inspection.settings.unknownParameters === 'reject') {
    for (const query of ['criteria[unknown]=1', 'sorting[unknown]=asc']) {
      await inspection.askForError({ method: 'GET', url: `${list.path}?${query}` });
    }
  }
}

/** Reads a page and checks the order of its items. `-id` is descending. */
async function listOf(
  inspection: Inspection,
  url: string,
  order: readonly string[],
): Promise<PageBody | undefined> {
  const request = { method: 'GET', url };
  const seen = await inspection.ask(request);
  if (!inspection.expectStatus(request, seen, 200, 'a page')) return undefined;
  const page = pageIn(seen);
  if (page === undefined) return undefined;
  const { items } = page._embedded;
  for (const [index, item] of items.entries()) {
    const before = items[index - 1];
    if (before === undefined || !isMisplaced(before, item, order)) continue;
    const expected = order.map((field) =>
      field.startsWith('-') ? `${field.slice(1)} descending` : field,
    );
    const place = bodyPath(['_embedded', 'items', index]);
    inspection.reporter(request)(
      'order',
      place,
      `items by ${expected.join(', ')}`,
      brief(item, order),
    );
    break;
  }
  return page;
}

function brief(item: Item, order: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    ['-id', ...order].map((name) => [name.replace('-', ''), item[name.replace('-', '')]]),
  );
}

/** Whether an item belongs before the one that precedes it. Texts may be sorted by any collation. */
function isMisplaced(before: Item, item: Item, order: readonly string[]): boolean {
  for (const field of order) {
    const name = field.replace('-', '');
    const [a, b] = field.startsWith('-') ? [item[name], before[name]] : [before[name], item[name]];
    if (a === b) continue;
    if (a === undefined || b === undefined || a === null || b === null) return false;
    if (typeof a === 'string' && typeof b === 'string')
      return a > b && a.localeCompare(b, 'en') > 0;
    return Number(a) > Number(b);
  }
  return false;
}

async function checkSecondPage(inspection: Inspection, path: string): Promise<void> {
  const [one, two, both] = await Promise.all(
    ['limit=2', 'limit=2&page=2', 'limit=4'].map((query) => inspection.get(`${path}?${query}`)),
  );
  const ids = [one, two].flatMap((seen) => idsOf(seen));
  const expected = idsOf(both);
  if (ids.join() !== expected.join()) {
    const request = { method: 'GET', url: `${path}?limit=2&page=2` };
    const wanted = expected.slice(2).join(', ');
    inspection.reporter(request)('page', 'body._embedded.items', `the items ${wanted}`, idsOf(two));
  }
}

function idsOf(seen: Seen | undefined): number[] {
  const page = seen && pageIn(seen);
  return page?._embedded.items.map(({ id }) => id) ?? [];
}

async function checkSorting(inspection: Inspection, list: ShopEndpoint): Promise<void> {
  const fields = Object.keys(list.query?.children['sorting'] ?? {});
  const orders = fields.flatMap((field) => [
    [`sorting[${field}]=asc`, field],
    [`sorting[${field}]=desc`, `-${field}`],
  ]);
  await inParallel(orders, async ([query = '', order = '']) => {
    await listOf(inspection, `${list.path}?${query}&limit=5`, [order]);
  });
}

/** Returns some items: of orders, at least one of each state and step. */
function chosen(name: string, items: readonly Item[]): readonly Item[] {
  const keyOf = ({ state, checkout_state, type, id }: Item): unknown =>
    name === 'orders' || name === 'payments' || name === 'shipments' || name === 'zones'
      ? [state, checkout_state, type].join()
      : id;
  const groups = Map.groupBy(items, keyOf);
  return [...groups.values()]
    .flatMap((group) => group.slice(0, 2))
    .slice(0, name === 'orders' ? 16 : 6);
}

/** A record is the same in the list and alone, except for the parts that lists leave out. */
function checkSame(inspection: Inspection, url: string, listed: Item, single: unknown): void {
  if (typeof single !== 'object' || single === null) return;
  const one = single as Item;
  const report = inspection.reporter({ method: 'GET', url });
  if (one.id !== listed.id) {
    report('value', 'body.id', `${listed.id}, the id in the URL`, one.id);
    return;
  }
  // Another client may change the record between the two requests.
  if (one['updated_at'] !== listed['updated_at']) return;
  for (const [name, value] of Object.entries(listed)) {
    if (typeof value === 'object' || value === one[name]) continue;
    report('value', bodyPath([name]), `${JSON.stringify(value)}, as in the list`, one[name]);
  }
  for (const name of Object.keys(one)) {
    if (!(name in listed)) report('shape', bodyPath([name]), 'nothing, as in the list', one[name]);
  }
}

/** HEAD has the headers of GET; OPTIONS lists the methods. */
async function checkMethods(inspection: Inspection, url: string, row: ShopEndpoint): Promise<void> {
  const head = { method: 'HEAD', url };
  const seen = await inspection.ask(head);
  if (inspection.expectStatus(head, seen, row.status, 'as GET')) {
    const type = seen.headers['content-type'];
    if (!/^application\/json/i.test(type ?? '')) {
      inspection.reporter(head)('header', 'header content-type', 'application/json', type);
    }
  }
  const options = { method: 'OPTIONS', url };
  const { headers, status } = await inspection.ask(options);
  const expected = allowedMethods(router.match('GET', url).route);
  const allowed = (headers['allow'] ?? '')
    .split(/\s*,\s*/)
    .filter((name) => name !== 'HEAD' && name !== 'OPTIONS');
  const wanted = expected.filter((name) => name !== 'HEAD' && name !== 'OPTIONS');
  // A proxy may answer OPTIONS itself, for CORS, without the header.
  if (status >= 300 || headers['allow'] === undefined) {
    inspection.reporter(options)(
      'header',
      'header allow',
      expected.join(', '),
      headers['allow'] ?? `status ${status}`,
    );
  } else if (allowed.toSorted().join() !== wanted.toSorted().join()) {
    inspection.reporter(options)('header', 'header allow', expected.join(', '), headers['allow']);
  }
}

const router = createApiRouter(endpoints);

async function checkFilters(
  inspection: Inspection,
  name: string,
  path: string,
  items: readonly Item[],
): Promise<void> {
  const [item] = items;
  const expectFound = async (query: string, wanted: Item, why: string): Promise<void> => {
    const request = { method: 'GET', url: `${path}?limit=100&${query}` };
    const page = pageIn(await inspection.ask(request));
    if (page === undefined || page._embedded.items.some(({ id }) => id === wanted.id)) return;
    if (page.total > page._embedded.items.length) return;
    inspection.reporter(request)(
      'page',
      'body._embedded.items',
      `record ${wanted.id}: ${why}`,
      `${page.total} others`,
    );
  };
  const expectNone = async (query: string): Promise<void> => {
    const request = { method: 'GET', url: `${path}?${query}` };
    const page = pageIn(await inspection.ask(request));
    if (page === undefined || page.total === 0) return;
    inspection.reporter(request)('page', 'body.total', '0: no record matches', page.total);
  };
  if (name === 'users') {
    await expectNone('criteria[query]=no-such-user-anywhere');
    if (item !== undefined) {
      const query = encodeURIComponent(String(item['username']).toUpperCase());
      await expectFound(`criteria[query]=${query}`, item, 'its username matches');
    }
  }
  if (name === 'products') {
    await expectNone('criteria[name]=no-such-product-anywhere');
    if (item !== undefined) {
      const query = encodeURIComponent(String(item['name']).slice(0, 6).toUpperCase());
      await expectFound(`criteria[name]=${query}`, item, 'its name matches');
    }
  }
  if (name === 'payments' || name === 'shipments') {
    await expectNone('criteria[number]=no-such-number');
    await expectNone('criteria[createdAtFrom]=8999-01-01');
    await expectNone('criteria[createdAtTo]=1970-01-01');
    await inspection.askForError({
      method: 'GET',
      url: `${path}?criteria[createdAtFrom]=yesterday`,
    });
    if (item !== undefined) {
      const day = String(item['created_at']).slice(0, 10);
      const query = `criteria[createdAtFrom]=${day}&criteria[createdAtTo]=${day}`;
      await expectFound(query, item, 'it was created on this day');
    }
  }
}

interface OrderItem extends Item {
  readonly checkout_state: string;
  readonly state: string;
  readonly items: readonly Item[];
}

/** The response to `GET /api/checkouts/:order_id` by checkout state. */
const proposals: Readonly<Record<string, string>> = {
  addressing: 'the shipping methods of each shipment',
  shipping: 'the payment methods',
};

async function checkOrder(inspection: Inspection, listed: Item, found: Found): Promise<void> {
  const order = listed as OrderItem;
  const items = await inspection.get(`/api/orders/${order.id}/items/`);
  if (Array.isArray(items.json) && Array.isArray(order.items)) {
    const ids = (items.json as Item[]).map(({ id }) => id).join();
    if (ids !== order.items.map(({ id }) => id).join()) {
      const request = { method: 'GET', url: `/api/orders/${order.id}/items/` };
      inspection.reporter(request)('value', 'body', 'the items of the order', ids);
    }
  }
  collectLinks(items.json, `/api/orders/${order.id}/items/`, found);
  const request = { method: 'GET', url: `/api/checkouts/${order.id}` };
  const seen = await inspection.ask(request);
  collectLinks(seen.json, request.url, found);
  if (order.state === 'abandoned' || order.state === 'cart') {
    // A cart may expire between two requests.
    if (seen.status === 400) return;
    if (order.checkout_state === 'cart') {
      inspection.expectStatus(request, seen, 405, 'addressing comes first');
      return;
    }
    if (order.state === 'abandoned' && order.checkout_state !== 'payment') {
      inspection.expectStatus(request, seen, 400, 'the order is abandoned');
      return;
    }
  }
  if (!inspection.expectStatus(request, seen, 200, 'the choices of the next step, or the order'))
    return;
  const expected = proposals[order.checkout_state] ?? 'the order';
  const body = seen.json as Readonly<Record<string, unknown>> | undefined;
  const received = Array.isArray(body)
    ? proposals['addressing']
    : body?.['payment'] !== undefined
      ? proposals['shipping']
      : 'the order';
  if (received !== expected && body !== undefined) {
    inspection.reporter(request)(
      'transition',
      'body',
      `${expected} at ${order.checkout_state}`,
      received,
    );
  } else if (expected === 'the order' && body?.['id'] !== order.id) {
    inspection.reporter(request)('value', 'body.id', String(order.id), body?.['id']);
  }
}

async function checkCoupons(inspection: Inspection, found: Found): Promise<void> {
  if (!inspection.includes('/api/promotions')) return;
  for (const { id } of found.items.get('promotions') ?? []) {
    const page = await listOf(inspection, `/api/promotions/${id}/coupons`, ['id']);
    for (const coupon of page?._embedded.items.slice(0, 3) ?? []) {
      const url = `/api/promotions/${id}/coupons/${coupon.id}`;
      const seen = await inspection.get(url);
      if (seen.status === 200) checkSame(inspection, url, coupon, seen.json);
    }
    const url = `/api/promotions/${id}/coupons/${unknownId}`;
    inspection.expectStatus(
      { method: 'GET', url },
      await inspection.get(url),
      404,
      'no such coupon',
    );
  }
}

function collectLinks(value: unknown, from: string, { links }: Found): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'href' && typeof inner === 'string') {
      if (!links.has(inner)) links.set(inner, from);
    } else collectLinks(inner, from, { links } as Found);
  }
}

/** Reads some of the links of each form, and checks that they lead to the record that they name. */
async function followLinks(inspection: Inspection, { links }: Found): Promise<void> {
  const groups = Map.groupBy(links.keys(), (href) => href.replaceAll(/\d+/g, '*'));
  const some = [...groups.values()].flatMap((hrefs) => hrefs.slice(0, 6));
  await inParallel(some, async (href) => {
    const url = withoutPrefix(href, inspection.client);
    if (!url.startsWith('/api/')) return;
    const request = { method: 'GET', url };
    const seen = await inspection.ask(request);
    if (seen.status !== 200 && isOfDeleted(href)) return;
    if (!inspection.expectStatus(request, seen, 200, `${links.get(href)} links to it`)) return;
    const { id } = (seen.json ?? {}) as { id?: unknown };
    if (id !== undefined && id !== idsIn(url).at(-1)) {
      inspection.reporter(request)('link', 'body.id', String(idsIn(url).at(-1)), id);
    }
  });
}

/** Records keep links to others that have been deleted: payments to an order, orders to products and channels. */
function isOfDeleted(href: string): boolean {
  return /\/api\/(orders|products|channels|shipping-methods|payment-methods)\//.test(href);
}

async function checkErrors(inspection: Inspection): Promise<void> {
  for (const { path } of reads.filter((row) => /:\w+\/./.test(row.path))) {
    const url = path.replaceAll(/:\w+/g, unknownId);
    if (inspection.includes(url)) await inspection.askForError({ method: 'GET', url });
  }
  const checkout = `/api/checkouts/${unknownId}`;
  if (inspection.includes(checkout)) await inspection.askForError({ method: 'GET', url: checkout });
  for (const url of ['/api/password-resetting-requests/', `/api/promotion/${unknownId}/coupons/`]) {
    const request = { method: 'GET', url };
    if (inspection.includes(url)) {
      inspection.expectStatus(request, await inspection.ask(request), 405, 'there is no GET');
    }
  }
  if (inspection.includes('/oauth/v2/token')) {
    for (const query of ['', '?grant_type=password', '?grant_type=none&client_id=none']) {
      await inspection.askForError({ method: 'GET', url: `/oauth/v2/token${query}` });
    }
  }
}

/** @throws Unreachable if a response shows that this is not the API of a store back office */
export function assertIsStore({ status, headers, body, json }: Seen, origin: string): void {
  const type = headers['content-type'] ?? 'nothing';
  if (json === undefined && body !== '') {
    throw new Unreachable(
      `${origin} responded with ${type.split(';')[0]}, not JSON. Pass the URL in front of /api.`,
    );
  }
  if (body === '' || status >= 500) {
    throw new Unreachable(
      `${origin} responded to GET /api/channels/ with status ${status}${body === '' ? ' and no body' : ''}.`,
    );
  }
}
