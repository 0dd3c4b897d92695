import type { RowsView } from '../../engine/control/endpoints/tables.ts';
import { recordOf, type Choice } from './palette-choices.ts';
import type { Studio } from '../studio.ts';

/** Finds records by the fields by which a person knows them. */
export async function findByWord(studio: Studio, text: string): Promise<Choice[]> {
  const word = text.trim();
  const fitting = studio.pages.value.palette.searches.filter(({ pattern }) => pattern.test(word));
  const found = await Promise.all(
    fitting.map(async ({ table, field, exact }) => {
      const condition = `where[${field}]=${encodeURIComponent(exact(word))}`;
      const path = `/_backlot/tables/${table}?${condition}&sort=-id&limit=5`;
      const body = await studio.client.peek<RowsView>(`GET ${path}`);
      return body?.rows.map((row) => choiceOf(studio, table, field, row)) ?? [];
    }),
  );
  return found.flat();
}

function choiceOf(
  studio: Studio,
  table: string,
  field: string,
  row: RowsView['rows'][number],
): Choice {
  const key = `found/${table}/${row.id}`;
  return { ...recordOf(studio, table, row.id), key, hint: `${field} ${String(row[field])}` };
}
