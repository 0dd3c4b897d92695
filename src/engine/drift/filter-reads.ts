import { truncate } from '../lib/problem.ts';
import type { Inspection } from './inspection.ts';
import type { Item } from './items.ts';
import { pageIn } from './pages.ts';

/** What a filter must find, by records that the collection has listed. */
interface FilterChecks {
  /** Queries that no record matches. */
  readonly none: readonly string[];
  /** Queries that must be rejected. */
  readonly rejected?: readonly string[];
  /** The field whose text a query is made of. */
  readonly field: string;
  /** Returns a query that a record matches whose field has a text, and why it does. */
  readonly matching: (text: string) => readonly [query: string, why: string];
}

const byTime: FilterChecks = {
  none: [
    'criteria[number]=no-such-number',
    'criteria[createdAtFrom]=8999-01-01',
    'criteria[createdAtTo]=1970-01-01',
  ],
  rejected: ['criteria[createdAtFrom]=yesterday'],
  field: 'created_at',
  matching: (time) => {
    const day = encoded(time.slice(0, 10));
    const query = `criteria[createdAtFrom]=${day}&criteria[createdAtTo]=${day}`;
    return [query, 'it was created on this day'];
  },
};

const checks: Readonly<Record<string, FilterChecks>> = {
  users: {
    none: ['criteria[query]=no-such-user-anywhere'],
    field: 'username',
    matching: (username) => [
      `criteria[query]=${encoded(username.toUpperCase())}`,
      'its username matches',
    ],
  },
  products: {
    none: ['criteria[name]=no-such-product-anywhere'],
    field: 'name',
    matching: (name) => [
      `criteria[name]=${encoded(name.slice(0, 6).toUpperCase())}`,
      'its name matches',
    ],
  },
  payments: byTime,
  shipments: byTime,
};

function encoded(text: string): string {
  return encodeURIComponent(truncate(text).toWellFormed());
}

/** Checks the filters of a collection by records that it has listed. */
export async function checkFilters(
  inspection: Inspection,
  name: string,
  path: string,
  [item]: readonly Item[],
): Promise<void> {
  const filter = checks[name];
  if (filter === undefined) return;
  const { none, rejected = [], field, matching } = filter;
  for (const query of none) await expectNone(inspection, `${path}?${query}`);
  for (const query of rejected) {
    await inspection.askForError({ method: 'GET', url: `${path}?${query}` });
  }
  const text = item?.[field];
  if (item === undefined || typeof text !== 'string') return;
  const [query, why] = matching(text);
  await expectFound(inspection, `${path}?limit=100&${query}`, item, why);
}

async function expectFound(
  inspection: Inspection,
  url: string,
  wanted: Item,
  why: string,
): Promise<void> {
  const request = { method: 'GET', url };
  const page = pageIn(await inspection.ask(request));
  if (page === undefined || page._embedded.items.some(({ id }) => id === wanted.id)) return;
  // The record may be on a later page.
  if (page.total > page._embedded.items.length) return;
  const report = inspection.reporter(request);
  report('page', 'body._embedded.items', `record ${wanted.id}: ${why}`, `${page.total} others`);
}

async function expectNone(inspection: Inspection, url: string): Promise<void> {
  const request = { method: 'GET', url };
  const page = pageIn(await inspection.ask(request));
  if (page === undefined || page.total === 0) return;
  inspection.reporter(request)('page', 'body.total', '0: no record matches', page.total);
}
