import type { Summary } from './source.ts';

/** A record in a filter: `order:105`. */
export interface FilteredRecord {
  readonly table: string;
  readonly id: number;
}

/** A filter as it was typed: `is:rejected step:purchase order:105 text`. */
export interface Filter {
  /** Conditions that an entry must all meet. */
  readonly conditions: readonly ((entry: Summary) => boolean)[];
  readonly records: readonly FilteredRecord[];
}

/** Parses a filter. Unknown names with a number are records: `order:105`. */
export function parseFilter(text: string): Filter {
  const conditions: ((entry: Summary) => boolean)[] = [];
  const records: FilteredRecord[] = [];
  for (const word of text.toLowerCase().split(/\s+/).filter(Boolean)) {
    const [, name = '', value = ''] = /^(\w+):(.*)$/.exec(word) ?? [];
    const isRecord = !fields.includes(name) && /^\d+$/.test(value);
    if (isRecord) records.push({ table: pluralOf(name), id: Number(value) });
    else conditions.push(conditionOf(name, value, word));
  }
  return { conditions, records };
}

const fields = ['is', 'by', 'step', 'method', 'status'];

/** `order` → `orders`, `address` → `addresses`, `tax_category` → `tax_categories`. */
function pluralOf(name: string): string {
  if (/(?<!s)s$/.test(name)) return name;
  return /(s|x|ch)$/.test(name) ? `${name}es` : `${name.replace(/y$/, 'ie')}s`;
}

function conditionOf(name: string, value: string, word: string): (entry: Summary) => boolean {
  switch (name) {
    case 'is':
      return ({ outcome, changed }) =>
        outcome.startsWith(value) || (value === 'write' ? changed > 0 : false);
    case 'by':
      return ({ by }) => by.startsWith(value);
    case 'step':
      return ({ step = '' }) => step.startsWith(value);
    case 'method':
      return ({ title }) => title.toLowerCase().startsWith(`${value} `);
    case 'status':
      return ({ status = '' }) => statusPattern(value).test(String(status));
    default:
      return ({ title, reason = '', step = '' }) =>
        `${title} ${step} ${reason}`.toLowerCase().includes(word);
  }
}

/** `4xx` → any status from 400 to 499. */
function statusPattern(value: string): RegExp {
  return new RegExp(`^${value.replaceAll(/[^\dx]/g, '').replaceAll('x', '.')}`);
}

/**
 * Whether an entry passes a filter.
 *
 * @param touched the ids of the entries that changed all records of the filter, if it names any
 */
export function passes(
  { conditions, records }: Filter,
  touched: ReadonlySet<number>,
  entry: Summary,
): boolean {
  const names = ({ table, id }: FilteredRecord) => isNamed(entry.title, table, id);
  return (
    conditions.every((condition) => condition(entry)) &&
    (touched.has(entry.id) || records.every(names))
  );
}

/** Whether the path of a request names a record: `/api/orders/105/items/`, `/api/checkouts/105`. */
export function isNamed(title: string, table: string, id: number): boolean {
  const singular = table.replace(/(?<=ss|x|ch)es$|s$/, '').replace(/ie$/, 'y');
  const names = [table, singular, ...(table === 'orders' ? ['checkouts'] : [])].join('|');
  return new RegExp(`/(${names.replaceAll('_', '[_-]')})/${id}(?!\\d)`).test(title);
}
