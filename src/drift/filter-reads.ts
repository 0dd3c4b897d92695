import type { Inspection } from './inspection.ts';
import { pageIn, type Item } from './pages.ts';

/** Checks the filters of a collection by records that it has listed. */
export async function checkFilters(
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
