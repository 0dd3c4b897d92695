import type { FilterChecks, Item, ServerCheck } from '../../engine/definition/drift.ts';
import { pageIn } from './pages.ts';

/** Checks the filters of a collection by records that it has listed. */
export async function checkFilters(
  check: ServerCheck,
  path: string,
  { none, rejected = [], field, matching }: FilterChecks,
  [item]: readonly Item[],
): Promise<void> {
  for (const query of none) await expectNone(check, `${path}?${query}`);
  for (const query of rejected) {
    await check.askForError({ method: 'GET', url: `${path}?${query}` });
  }
  const text = item?.[field];
  if (item === undefined || typeof text !== 'string') return;
  const [query, why] = matching(text);
  await expectFound(check, `${path}?limit=100&${query}`, item, why);
}

async function expectFound(
  check: ServerCheck,
  url: string,
  wanted: Item,
  why: string,
): Promise<void> {
  const request = { method: 'GET', url };
  const page = pageIn(await check.ask(request));
  if (page === undefined || page.items.some(({ id }) => id === wanted.id)) return;
  // The record may be on a later page.
  if (page.total > page.items.length) return;
  const report = check.reporter(request);
  report('page', 'body._embedded.items', `record ${wanted.id}: ${why}`, `${page.total} others`);
}

async function expectNone(check: ServerCheck, url: string): Promise<void> {
  const request = { method: 'GET', url };
  const page = pageIn(await check.ask(request));
  if (page === undefined || page.total === 0) return;
  check.reporter(request)('page', 'body.total', '0: no record matches', page.total);
}
