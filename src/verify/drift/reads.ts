import type { ApiDefinition, ApiEndpoint } from '../../engine/definition/api.ts';
import type {
  ReadResults,
  Item,
  ListChecks,
  ParsedResponse,
  ServerCheck,
} from '../../engine/definition/drift.ts';
import { isObject } from '../../engine/lib/json-value.ts';
import { inParallel } from './in-parallel.ts';
import type { Inspection } from './inspection.ts';
import { bodyPath, shown } from './finding.ts';
import { checkFilters } from './filter-reads.ts';
import { collectLinks, followLinks } from './link-reads.ts';
import { listOf, pageIn } from './pages.ts';
import { resourceOf } from './resources.ts';
import { methodsIn } from './rule.ts';

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

/**
 * Checks every endpoint that reads, with the methods GET, HEAD and OPTIONS only.
 *
 * @throws Unreachable if the server does not respond, or with something else than this API
 */
export async function checkReads(inspection: Inspection): Promise<ReadResults> {
  const found: ReadResults = { items: new Map(), links: new Map() };
  const { drift } = inspection;
  await inParallel(collectionsOf(inspection.api), async (collection) => {
    const { path } = collection.list;
    const checks = drift?.lists[resourceOf(path)] ?? {};
    if (!inspection.includes(path) && checks.isRequired !== true) return;
    await checkCollection(inspection, collection, checks, found);
  });
  await drift?.read(inspection, found);
  await followLinks(inspection, found);
  await checkErrors(inspection);
  return found;
}

async function checkCollection(
  inspection: Inspection,
  { list, single }: Collection,
  checks: ListChecks,
  found: ReadResults,
): Promise<void> {
  const { order = ['id'], filters } = checks;
  const first = await listOf(inspection, `${list.path}?limit=40`, order);
  await listOf(inspection, list.path, order);
  const items = chosen(checks, first?.items ?? []);
  found.items.set(resourceOf(list.path), items);
  if (!inspection.includes(list.path)) return;
  const total = first?.total ?? 0;
  const pages = [`${list.path}?page=99999999`, `${list.path}?limit=1`];
  if (total > 3) pages.push(`${list.path}?limit=3&page=2`);
  for (const url of pages) await listOf(inspection, url, order);
  if (total > 3) await checkSecondPage(inspection, list.path);
  await checkSorting(inspection, list);
  if (filters !== undefined) await checkFilters(inspection, list.path, filters, first?.items ?? []);
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
  // Every server must reject these, whatever its data.
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

function idsOf(seen: ParsedResponse | undefined): number[] {
  const page = seen && pageIn(seen);
  return page?.items.map(({ id }) => id) ?? [];
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

/** Returns some items: of each kind, if there are kinds. */
function chosen({ kinds = ['id'], max = 6 }: ListChecks, items: readonly Item[]): readonly Item[] {
  const groups = Map.groupBy(items, (item) => JSON.stringify(kinds.map((field) => item[field])));
  return [...groups.values()].flatMap((group) => group.slice(0, 2)).slice(0, max);
}

/** A record is the same in the list and alone, except for the parts that lists leave out. */
export function checkSame(check: ServerCheck, url: string, listed: Item, single: unknown): void {
  if (!isObject(single)) return;
  const report = check.reporter({ method: 'GET', url });
  if (single['id'] !== listed.id) {
    report('value', 'body.id', `${listed.id}, the id in the URL`, single['id']);
    return;
  }
  // Another client may change the record between the two requests.
  if (single['updated_at'] !== listed['updated_at']) return;
  for (const [name, value] of Object.entries(listed)) {
    if (typeof value === 'object' || value === single[name]) continue;
    report('value', bodyPath([name]), `${shown(value)}, as in the list`, single[name]);
  }
  for (const name of Object.keys(single)) {
    if (!(name in listed))
      report('shape', bodyPath([name]), 'nothing, as in the list', single[name]);
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
  const { allow } = inspection.expected(options).headers;
  const received = headers['allow'] ?? `status ${status}`;
  // A proxy may answer OPTIONS itself, for CORS, without the header.
  if (status >= 300 || methodsIn(received) !== methodsIn(allow))
    inspection.reporter(options)('header', 'header allow', allow ?? '', received);
}

async function checkErrors(inspection: Inspection): Promise<void> {
  const { api } = inspection;
  const singles = new Set(collectionsOf(api).map(({ single }) => single));
  const nested = readsOf(api).filter((row) => row.path.includes(':') && !singles.has(row));
  for (const { path } of nested) {
    const url = path.replaceAll(/:\w+/g, unknownId);
    if (inspection.includes(url)) await inspection.askForError({ method: 'GET', url });
  }
  for (const url of urlsWithoutGet(api)) {
    const request = { method: 'GET', url };
    if (inspection.includes(url)) {
      inspection.expectStatus(request, await inspection.ask(request), 405, 'there is no GET');
    }
  }
}

/** Returns a URL of each path that has no endpoint which reads. */
function urlsWithoutGet({ endpoints }: ApiDefinition): Iterable<string> {
  const urls = Map.groupBy(
    endpoints.filter(({ path }) => path.startsWith('/api/')),
    ({ path }) => path.replace(/\/$/, '').replaceAll(/:\w+/g, unknownId),
  );
  return [...urls].flatMap(([url, rows]) =>
    rows.some(({ method }) => method === 'GET') ? [] : [url],
  );
}
