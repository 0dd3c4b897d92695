import type { RowsView } from '../../control/endpoints/tables.ts';
import { apiPages } from '../api-pages.ts';
import { recordOf, type Choice } from './palette-choices.ts';
import { peek } from '../store.ts';

/** Finds records by the fields by which a person knows them. */
export async function findByWord(text: string): Promise<Choice[]> {
  const word = text.trim();
  const fitting = apiPages().palette.searches.filter(({ pattern }) => pattern.test(word));
  const found = await Promise.all(
    fitting.map(async ({ table, field, exact }) => {
      const condition = `where[${field}]=${encodeURIComponent(exact(word))}`;
      const path = `/_backlot/tables/${table}?${condition}&sort=-id&limit=5`;
      const body = await peek<RowsView>(`GET ${path}`);
      return body?.rows.map((row) => choiceOf(table, field, row)) ?? [];
    }),
  );
  return found.flat();
}

function choiceOf(table: string, field: string, row: RowsView['rows'][number]): Choice {
  const key = `found/${table}/${row.id}`;
  return { ...recordOf(table, row.id), key, hint: `${field} ${String(row[field])}` };
}
