import { itemKey, type Item } from './contract.ts';

/** The coverage of one measure. */
export interface MeasureSummary {
  /** Number of items, without the ignored ones. */
  readonly total: number;
  readonly met: number;
  readonly ignored: number;
  /** Of 100, rounded down to two decimals; 100 if there are no items. */
  readonly percent: number;
}

/** Number of operations, and of those with at least one request. */
export interface OperationsMet {
  readonly total: number;
  readonly met: number;
}

/** The gaps among items, and the coverage of some of them. */
export interface ItemsSummary {
  readonly isGap: (item: Item) => boolean;
  readonly summaryOf: (some: readonly Item[]) => MeasureSummary;
  readonly operationsMet: (statuses: readonly Item[]) => OperationsMet;
  /** Patterns of the ignore list that match nothing. */
  readonly unusedIgnores: readonly string[];
}

export function summarizeItems(
  items: readonly Item[],
  {
    ignore,
    isMet,
  }: { readonly ignore: readonly string[]; readonly isMet: (item: Item) => boolean },
): ItemsSummary {
  const patterns = ignore.map((text) => ({ text, matches: matcherOf(text) }));
  const used = new Set<string>();
  const ignored = new Set(
    items.filter((item) => {
      const matching = patterns.filter(({ matches }) => matches(item, isMet(item)));
      for (const { text } of matching) used.add(text);
      return matching.length > 0;
    }),
  );
  return {
    isGap: (item) => !ignored.has(item) && !isMet(item),
    summaryOf(some) {
      const counted = some.filter((item) => !ignored.has(item));
      const met = counted.filter((item) => isMet(item)).length;
      const total = counted.length;
      const percent = total === 0 ? 100 : Math.floor((met / total) * 10_000) / 100;
      return { total, met, ignored: some.length - total, percent };
    },
    operationsMet: (statuses) => ({
      total: operationsOf(statuses).size,
      met: operationsOf(statuses.filter((item) => isMet(item))).size,
    }),
    unusedIgnores: ignore.filter((text) => !used.has(text)),
  };
}

/** Statuses of servers, limits and faults, which a client of a working shop does not meet. */
const unusual = / (401|403|413|415|429|500|503)$/;

/** Returns the operations of statuses: `GET /api/zones/` of `GET /api/zones/ 200`. */
function operationsOf(statuses: readonly Item[]): ReadonlySet<string> {
  return new Set(statuses.map(({ id }) => id.replace(/ \d+$/, '')));
}

/** Returns the predicate of an entry of the ignore list, for items that were met or not. */
function matcherOf(text: string): (item: Item, isMet: boolean) => boolean {
  if (text === 'unusual') {
    return ({ measure, id }, isMet) => measure === 'statuses' && !isMet && unusual.test(id);
  }
  const parts = text.split('*');
  return ({ measure, id }) => hasParts(id, parts) || hasParts(itemKey(measure, id), parts);
}

/**
 * Whether a text has these parts in their order, with any characters between them. The first place of each part is the best one,
 * so that the time is proportional to the length of the text; an expression of several `.*` goes back again and again.
 */
function hasParts(text: string, [first = '', ...parts]: readonly string[]): boolean {
  const last = parts.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let end = first.length;
  for (const part of parts) {
    const at = text.indexOf(part, end);
    if (at === -1) return false;
    end = at + part.length;
  }
  return end + last.length <= text.length;
}
