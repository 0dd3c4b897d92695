import type { ApiDefinition, ApiEndpoint } from '../definition/api.ts';
import { allowedMethods } from '../rest/router.ts';
import { routerOf } from './exchange.ts';
import { inParallel, type Inspection, type Seen } from './inspection.ts';
import { bodyPath, shown } from './finding.ts';
import { checkFilters } from './filter-reads.ts';
import { collectLinks, followLinks, type Collected } from './link-reads.ts';
import type { Item } from './items.ts';
import { checkOrder, checkUserOrders, orderOfOrders } from './order-reads.ts';
import { listOf, pageIn } from './pages.ts';

/** No server has a record with this id. */
const unknownId = '999999999';

/** A collection whose items have endpoints of their own. */
interface Collection {
  readonly list: ApiEndpoint;
  /** The endpoint of one item: `/api/orders/:order_id/`. */
  readonly single: ApiEndpoint;
}

function readsOf({ endpoints }: ApiDefinition): readonly ApiEndpoint[] {
  return endpoints.filter(({ method, path }) => method === 'GET' && path.startsWith('/api/'));
}

function collectionsOf(api: ApiDefinition): readonly Collection[] {
  const reads = readsOf(api);
  return reads
    .filter(({ path }) => !path.includes(':'))
    .flatMap((list) => {
      const single = reads.find(({ path }) => isItemOf(path, list.path));
      return single === undefined ? [] : [{ list, single }];
    });
}

function isItemOf(path: string, list: string): boolean {
  const start = list.endsWith('/') ? list : `${list}/`;
  return path.startsWith(start) && /^:\w+\/?$/.test(path.slice(start.length));
}

/** The default order of each collection (default: by id, ascending). */
const orders: Readonly<Record<string, readonly string[]>> = {
  orders: orderOfOrders,
  shipments: ['-updated_at', '-created_at', '-id'],
  products: ['-created_at', '-id'],
  users: ['-id'],
};

/**
 * Checks every endpoint that reads, with the methods GET, HEAD and OPTIONS only.
 *
 * @throws Unreachable if the server does not respond, or with something else than this API
 */
export async function checkReads(inspection: Inspection): Promise<Collected> {
  const found: Collected = { items: new Map(), links: new Map() };
  await inParallel(collectionsOf(inspection.api), async (collection) => {
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
  await checkUserOrders(inspection, found);
  await followLinks(inspection, found);
  await checkErrors(inspection);
  return found;
}

const catalogue = new Set(['channels', 'countries', 'payment-methods', 'products', 'orders']);

function resourceName({ list }: Collection): string {
  return list.path.split('/')[2] ?? '';
}

async function checkCollection(
  inspection: Inspection,
  collection: Collection,
  found: Collected,
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

async function checkSorting(inspection: Inspection, list: ApiEndpoint): Promise<void> {
  const fields = Object.keys(list.query?.children['sorting'] ?? {});
  const sortings = fields.flatMap((field) => [
    [`sorting[${field}]=asc`, field],
    [`sorting[${field}]=desc`, `-${field}`],
  ]);
  await inParallel(sortings, async ([query = '', order = '']) => {
    await listOf(inspection, `${list.path}?${query}&limit=5`, [order]);
  });
}

/** Returns some items: of orders, at least one of each state and step. */
function chosen(name: string, items: readonly Item[]): readonly Item[] {
  const keyOf = ({ state, checkout_state, type, id }: Item): unknown =>
    name === 'orders' || name === 'payments' || name === 'shipments' || name === 'zones'
      ? JSON.stringify([state, checkout_state, type])
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
    report('value', bodyPath([name]), `${shown(value)}, as in the list`, one[name]);
  }
  for (const name of Object.keys(one)) {
    if (!(name in listed)) report('shape', bodyPath([name]), 'nothing, as in the list', one[name]);
  }
}

/** HEAD has the headers of GET; OPTIONS lists the methods. */
async function checkMethods(inspection: Inspection, url: string, row: ApiEndpoint): Promise<void> {
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
  const expected = allowedMethods(routerOf(inspection.api).match('GET', url).route);
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

async function checkCoupons(inspection: Inspection, found: Collected): Promise<void> {
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

async function checkErrors(inspection: Inspection): Promise<void> {
  for (const { path } of readsOf(inspection.api).filter((row) => /:\w+\/./.test(row.path))) {
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
