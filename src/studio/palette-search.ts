import type { Choice } from './palette-choices.ts';
import { hrefTo } from './route.ts';
import type { Source } from './source.ts';

interface Found {
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
export async function findByWord(source: Source, text: string): Promise<Choice[]> {
  const word = text.trim();
  const fitting = searches.filter(({ pattern }) => pattern.test(word));
  const found = await Promise.all(
    fitting.map(async ({ table, field }) => {
      const condition = `where[${field}]=${encodeURIComponent(exact(field, word))}`;
      const path = `/_backlot/tables/${table}?${condition}&sort=-id&limit=5`;
      const { status, body } = await source.call<{ readonly rows: readonly Found[] }>(
        `GET ${path}`,
      );
      return status >= 400 ? [] : body.rows.map((row) => choiceOf(table, field, row));
    }),
  );
  return found.flat();
}

/** SKUs and codes are written in capitals, addresses in small letters. */
function exact(field: string, word: string): string {
  if (field === 'email') return word.toLowerCase();
  return field === 'number' ? word : word.toUpperCase();
}

function choiceOf(table: string, field: string, row: Found): Choice {
  const href = table === 'orders' ? hrefTo('orders', row.id) : hrefTo('data', table, row.id);
  const name = table.slice(0, -1);
  return {
    key: `found/${table}/${row.id}`,
    title: `${name.charAt(0).toUpperCase()}${name.slice(1)} ${row.id}`,
    hint: `${field} ${String(row[field])}`,
    href,
  };
}
