import type { RowsView } from '../../engine/control/endpoints/tables.ts';
import { recordOf, type Choice } from './palette-choices.ts';
import type { Studio } from '../studio.ts';

/** Finds records by the fields by which a person knows them. */
export async function findByWord(studio: Studio, text: string): Promise<Choice[]> {
  const word = text.trim();
  const fitting = studio.pages.value.palette.searches.filter(({ pattern }) => pattern.test(word));
  const found = await Promise.all(
    fitting.map(async ({ table, field, exact, findIn }) => {
      const value = encodeURIComponent(exact?.(word) ?? word);
      const path =
        findIn === undefined
          ? `tables/${table}?where[${field}]=${value}&sort=-id&limit=5`
          : `${findIn}?find=${value}&limit=5`;
      const body = await studio.client.peek<RowsView | RowsView['rows']>(`GET /_backlot/${path}`);
      const rows = body === undefined || !('rows' in body) ? body : body.rows;
      return (rows ?? []).map((row) => choiceOf(studio, table, field, row, word));
    }),
  );
  return [...new Map(found.flat().map((choice) => [choice.key, choice])).values()];
}

function choiceOf(
  studio: Studio,
  table: string,
  field: string,
  row: RowsView['rows'][number],
  word: string,
): Choice {
  const value = row[field];
  // Amounts are as they were typed.
  const hint = `${field} ${typeof value === 'string' ? value : word}`;
  return { ...recordOf(studio, table, row.id), key: `found/${table}/${row.id}`, hint };
}
