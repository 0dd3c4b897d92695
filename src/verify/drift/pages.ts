import { bodyPath } from './finding.ts';
import type { Item, ParsedResponse, ServerCheck } from '../../engine/definition/drift.ts';
import { valueAt } from '../../engine/lib/json-value.ts';

export interface PageBody {
  readonly total: number;
  readonly limit: number;
  readonly items: readonly Item[];
}

/** Maximum number of items that are read of a page: no request asks for more. */
const maxItems = 1000;

/** Returns the page of a response, if it has one, with the first items that have an id. */
export function pageIn({ status, json }: ParsedResponse): PageBody | undefined {
  const [total, limit] = [valueAt(json, ['total']), valueAt(json, ['limit'])];
  const items = valueAt(json, ['_embedded', 'items']);
  if (status !== 200 || typeof total !== 'number' || typeof limit !== 'number') return undefined;
  return Array.isArray(items)
    ? { total, limit, items: itemsIn(items.slice(0, maxItems)) }
    : undefined;
}

/** Returns the records in a list; none for a value that is no list. */
export function itemsIn(value: unknown): readonly Item[] {
  return Array.isArray(value) ? value.filter(isItem) : [];
}

function isItem(value: unknown): value is Item {
  return Number.isSafeInteger(valueAt(value, ['id']));
}

/** Reads a page and checks the order of its items. `-id` is descending. */
export async function listOf(
  check: ServerCheck,
  url: string,
  order: readonly string[],
): Promise<PageBody | undefined> {
  const request = { method: 'GET', url };
  const seen = await check.ask(request);
  if (!check.expectStatus(request, seen, 200, 'a page')) return undefined;
  const page = pageIn(seen);
  if (page === undefined) return undefined;
  const { items } = page;
  for (const [index, item] of items.entries()) {
    const before = items[index - 1];
    if (before === undefined || !isMisplaced(before, item, order)) continue;
    const expected = order.map((field) =>
      field.startsWith('-') ? `${field.slice(1)} descending` : field,
    );
    const place = bodyPath(['_embedded', 'items', index]);
    check.reporter(request)('order', place, `items by ${expected.join(', ')}`, brief(item, order));
    break;
  }
  return page;
}

function brief(item: Item, order: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    ['-id', ...order].map((name) => [name.replace('-', ''), item[name.replace('-', '')]]),
  );
}

function isOrdered(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

/** Whether an item belongs before the one that precedes it. Texts may be sorted by any collation. */
function isMisplaced(before: Item, item: Item, order: readonly string[]): boolean {
  for (const field of order) {
    const name = field.replace('-', '');
    const [a, b] = field.startsWith('-') ? [item[name], before[name]] : [before[name], item[name]];
    if (a === b) continue;
    if (typeof a === 'string' && typeof b === 'string')
      return a > b && a.localeCompare(b, 'en') > 0;
    const areOrdered = isOrdered(a) && isOrdered(b);
    return areOrdered && Number(a) > Number(b);
  }
  return false;
}
