import { foldCase } from '../lib/fold-case.ts';

import type { DeliveryState } from '../rest/delivery.ts';

/** The part of a history entry that a filter reads. A summary has all of it but the changes. */
export interface FilteredEntry {
  readonly id: number;
  readonly by: string;
  readonly title: string;
  readonly outcome: string;
  readonly status?: number | undefined;
  readonly state?: DeliveryState | undefined;
  readonly reason?: string | undefined;
  readonly step?: string | undefined;
  /** Real time until the response, with its delay, in milliseconds. */
  readonly ms?: number | undefined;
  /** Number of records that were changed. */
  readonly changed: number;
}

/** A response that takes longer is slow, in milliseconds. */
export const slowFrom = 500;

/** Conditions of `is:` in addition to outcomes. */
const kinds: Readonly<Record<string, (entry: FilteredEntry) => boolean>> = {
  error: isError,
  // The former word.
  refused: isError,
  ok: ({ outcome, state = 'sent' }) => outcome === 'ok' && state === 'sent',
  slow: ({ ms = 0 }) => ms > slowFrom,
  write: ({ by, changed }) => by !== 'request' || changed > 0,
};

function isError({ outcome }: FilteredEntry): boolean {
  return outcome !== 'ok';
}

/** The record that a change is of. */
export interface ChangedRecord {
  /** Its name in an export: `order_items`. */
  readonly table: string;
  readonly id: number;
}

/** A filter of history entries. */
export interface EntryFilter {
  /**
   * Whether the filter matches an entry.
   *
   * @returns undefined if that depends on the changes, and they are not given
   */
  matches(entry: FilteredEntry, changes?: readonly ChangedRecord[]): boolean | undefined;
}

/** The words of an API in filters. */
export interface FilterWords {
  /** One of its steps, for messages. */
  readonly step: string;
  /** Its records by their names in filters: `order:105`, `order-item:7`. */
  readonly records: ReadonlyMap<string, FilteredRecord>;
}

interface FilteredRecord {
  /** Its name in an export: `order_items`. */
  readonly table: string;
  /** The part of a path before its id: `order-items`. */
  readonly paths: readonly string[];
}

type Matches = EntryFilter['matches'];
/** A word of a filter before the colon: its values, and how they are compared. */
interface Field {
  readonly expected: string;
  readonly values: RegExp;
  readonly matches: (
    value: string,
    entry: FilteredEntry,
    changes: readonly ChangedRecord[] | undefined,
  ) => boolean | undefined;
}

const common: Readonly<Record<string, Field>> = {
  is: {
    expected:
      'ok, declined, rejected, failed, dropped, different, error, held, delayed, client-left, slow or write',
    values:
      /^(ok|declined|rejected|failed|dropped|different|error|refused|held|delayed|client-left|slow|write)$/,
    matches: (value, entry) =>
      kinds[value]?.(entry) ?? (entry.outcome === value || entry.state === value),
  },
  by: {
    expected: 'request, page, clock, restore or reset',
    values: /^(request|page|clock|restore|reset)$/,
    matches: (value, { by }) => by === value,
  },
  step: {
    expected: 'a step',
    values: /^[a-z]+$/,
    matches: (value, { step }) => step === value,
  },
  method: {
    expected: 'GET, HEAD, POST, PUT, PATCH or DELETE',
    values: /^(get|head|post|put|patch|delete|options)$/,
    matches: (value, { by, title }) =>
      by === 'request' && title.slice(0, title.indexOf(' ')).toLowerCase() === value,
  },
  status: {
    expected: 'a status such as 404 or 4xx',
    values: /^([1-5]xx|\d{1,3})$/,
    matches: (value, { status }) =>
      status !== undefined &&
      (value.endsWith('xx')
        ? Math.floor(status / 100) === Number(value[0])
        : status === Number(value)),
  },
};

function fieldsOf({ step, records }: FilterWords): ReadonlyMap<string, Field> {
  return new Map([
    ...Object.entries(common).map(
      ([name, field]) =>
        [name, name === 'step' ? { ...field, expected: `a step such as ${step}` } : field] as const,
    ),
    ...Array.from(records, ([name, record]) => [name, recordField(record)] as const),
  ]);
}

/** A record is touched if an entry changed it, or if the path of its request names it. */
function recordField({ table, paths }: FilteredRecord): Field {
  return {
    expected: 'an id such as 105',
    values: /^\d+$/,
    matches(value, { title, changed }, changes) {
      const id = Number(value);
      if (paths.some((path) => `${title.replace(/\?.*/, '')}/`.includes(`/${path}/${id}/`)))
        return true;
      if (changed === 0) return false;
      return changes?.some((one) => one.table === table && one.id === id);
    },
  };
}

/**
 * Parses a filter: words that all must match. `is:rejected,failed`, `by:clock`, `step:confirm`, `method:put`,
 * `status:4xx`, `order:105`, `#12`, `#12-60`, and free text in the title or the reason; quotes hold words together, and a leading
 * minus excludes. A word without a value, such as `is:` or `""`, is no filter.
 *
 * @throws RangeError for an unknown field or value
 */
export function parseEntryFilter(text: string, known: FilterWords): EntryFilter {
  const fields = fieldsOf(known);
  const words = [...text.matchAll(/(-?)((?:[\w-]+:)?)(?:"([^"]*)"|(\S*))/g)].map(
    ([, minus = '', key = '', quoted, plain = '']) =>
      parseWord(fields, key.slice(0, -1), quoted ?? plain, { isExcluded: minus !== '' }),
  );
  return {
    matches(entry, changes) {
      const results = words.map((matches) => matches(entry, changes));
      if (results.includes(false)) return false;
      return results.includes(undefined) ? undefined : true;
    },
  };
}

function parseWord(
  fields: ReadonlyMap<string, Field>,
  key: string,
  value: string,
  { isExcluded }: { readonly isExcluded: boolean },
): Matches {
  const matches = key === '' ? textMatches(value) : fieldMatches(fields, key, value);
  if (matches === undefined) return () => true;
  if (!isExcluded) return matches;
  return (entry, changes) => {
    const result = matches(entry, changes);
    return result === undefined ? undefined : !result;
  };
}

function textMatches(value: string): Matches | undefined {
  if (value.trim() === '') return undefined;
  const text = foldCase(value);
  const [, first, last = first] = /^#(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  if (first !== undefined) return ({ id }) => id >= Number(first) && id <= Number(last);
  return ({ title, reason = '' }) => foldCase(`${title}\n${reason}`).includes(text);
}

/** Commas separate alternatives. */
function fieldMatches(
  fields: ReadonlyMap<string, Field>,
  key: string,
  text: string,
): Matches | undefined {
  const field = fields.get(key);
  if (field === undefined) {
    const names = Array.from(fields.keys(), (name) => `${name}:`);
    throw new RangeError(`Unknown filter '${key}:'. Use ${names.join(', ')} or free text.`);
  }
  const values = text
    .toLowerCase()
    .split(',')
    .filter((value) => value.trim() !== '');
  const wrong = values.find((value) => !field.values.test(value));
  if (wrong !== undefined)
    throw new RangeError(`${key}: must be ${field.expected}, not '${wrong}'.`);
  if (values.length === 0) return undefined;
  return (entry, changes) => {
    const results = values.map((value) => field.matches(value, entry, changes));
    if (results.includes(true)) return true;
    return results.includes(undefined) ? undefined : false;
  };
}
