import { recordOf, type Choice } from './palette-choices.ts';
import { peek } from '../store.ts';

interface FoundRow {
  readonly id: number;
  readonly [field: string]: unknown;
}

/** The fields by which a person knows a record, and the texts that they may have. */
const searches: readonly {
  readonly table: string;
  readonly field: string;
  readonly pattern: RegExp;
}[] = [
  { table: 'orders', field: 'number', pattern: /^\d{4,}$/ },
  { table: 'users', field: 'email', pattern: /^\S+@\S+$/ },
  { table: 'orders', field: 'email', pattern: /^\S+@\S+$/ },
  { table: 'variants', field: 'sku', pattern: /^(?!\d+$)[\w-]{3,}$/ },
  { table: 'coupons', field: 'code', pattern: /^(?!\d+$)[\w-]{3,}$/ },
];

/** Finds records by the number of an order, an email address, a SKU or the code of a coupon. */
export async function findByWord(text: string): Promise<Choice[]> {
  const word = text.trim();
  const fitting = searches.filter(({ pattern }) => pattern.test(word));
  const found = await Promise.all(
    fitting.map(async ({ table, field }) => {
      const condition = `where[${field}]=${encodeURIComponent(exact(field, word))}`;
      const path = `/_backlot/tables/${table}?${condition}&sort=-id&limit=5`;
      const body = await peek<{ readonly rows: readonly FoundRow[] }>(`GET ${path}`);
      return body?.rows.map((row) => choiceOf(table, field, row)) ?? [];
    }),
  );
  return found.flat();
}

/** SKUs and codes are written in capitals, addresses in small letters. */
function exact(field: string, word: string): string {
  if (field === 'email') return word.toLowerCase();
  return field === 'number' ? word : word.toUpperCase();
}

function choiceOf(table: string, field: string, row: FoundRow): Choice {
  const key = `found/${table}/${row.id}`;
  return { ...recordOf(table, row.id), key, hint: `${field} ${String(row[field])}` };
}
