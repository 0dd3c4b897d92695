import { isObject, valueAt } from '../lib/json-value.ts';
import { Problem } from '../lib/problem.ts';
import type { NamesOf } from '../lib/unknown-keys.ts';
import { closestRow } from '../rest/closest-row.ts';
import { mergeCounts, noCounts, type CoverageCounts } from './counts.ts';
import { itemKey, measures, type Contract, type Item, type Measure } from './contract.ts';
import { summarizeItems, type MeasureSummary, type OperationsMet } from './summarize-items.ts';

export type { MeasureSummary } from './summarize-items.ts';

/** An item that was never met. */
export type Gap = Item;

/** A request or a parameter that met nothing. */
export interface Unmatched {
  readonly name: string;
  readonly count: number;
  /** The nearest endpoint. */
  readonly nearest?: string | undefined;
}

/** The coverage of the endpoints that a definition adds to the contract. */
export interface AddedSummary {
  readonly operations: OperationsMet;
  /** Their documented responses. */
  readonly responses: MeasureSummary;
  /** The items that were never met: `GET /api/wishlists/:id 404`. */
  readonly gaps: readonly string[];
}

/** A report of contract coverage, as JSON. `counts` is what a merge reads. */
export interface CoverageReport {
  readonly backlot: 'coverage';
  readonly version: 1;
  readonly requests: number;
  readonly summary: Readonly<Record<Measure | 'all', MeasureSummary>>;
  /** Number of operations, and of those with at least one request. */
  readonly operations: OperationsMet;
  readonly gaps: readonly Gap[];
  /** Requests without an endpoint. */
  readonly unmatched: readonly Unmatched[];
  /** Parameters that their endpoint does not have. */
  readonly parameters: readonly Unmatched[];
  /** Responses of endpoints that a definition adds. They count for no measure. */
  readonly extensions: readonly Unmatched[];
  /** The coverage of these endpoints. */
  readonly added: AddedSummary;
  /** Statuses that the contract does not document. */
  readonly undocumented: readonly Unmatched[];
  /** Patterns of the ignore list that match nothing. */
  readonly unusedIgnores: readonly string[];
  readonly counts: CoverageCounts;
}

export interface ReportOptions {
  /**
   * Items to leave out, by id or by measure and id; `*` matches any text: `* 503`, `GET /api/zones/*`, `states: *`. `unusual`
   * leaves out the statuses that few clients can provoke, unless they are met: 401, 403, 413, 415, 429, 500 and 503.
   */
  readonly ignore?: readonly string[] | undefined;
}

/** Returns the report of counts. */
export function coverageReport(
  counts: CoverageCounts,
  { items, endpoints }: Contract,
  { ignore = [] }: ReportOptions = {},
): CoverageReport {
  const added = Object.keys(counts.documented).map((id): Item => ({ measure: 'statuses', id }));
  const isAdded = new Set(added);
  const { isGap, summaryOf, operationsMet, unusedIgnores } = summarizeItems([...items, ...added], {
    ignore,
    isMet: (item) =>
      isAdded.has(item)
        ? Object.hasOwn(counts.extensions, item.id)
        : Object.hasOwn(counts.items, itemKey(item.measure, item.id)),
  });
  const ofMeasure = (measure: Measure) => items.filter((item) => item.measure === measure);
  const byMeasure = measures.map((measure) => [measure, summaryOf(ofMeasure(measure))] as const);
  return {
    backlot: 'coverage',
    version: 1,
    requests: counts.requests,
    // The list has each measure once, which the type of `fromEntries` does not say.
    summary: Object.fromEntries([
      ...byMeasure,
      ['all', summaryOf(items)],
    ]) as CoverageReport['summary'],
    operations: operationsMet(ofMeasure('statuses')),
    gaps: items.filter(isGap),
    unmatched: straysOf(counts.unmatched, (name) => nearestEndpoint(name, endpoints)),
    parameters: straysOf(counts.parameters),
    extensions: straysOf(counts.extensions),
    added: {
      operations: operationsMet(added),
      responses: summaryOf(added),
      gaps: added.filter(isGap).map(({ id }) => id),
    },
    undocumented: straysOf(undocumentedOf(counts, items)),
    unusedIgnores,
    counts,
  };
}

/**
 * Returns the counts of a report that was read from a file.
 *
 * @throws Problem `invalid` for a value that is no report of this version
 */
export function countsOf(report: unknown, name: string): CoverageCounts {
  const counts = valueAt(report, ['counts']);
  const all = isObject(counts) && { ...noCounts, ...counts };
  const isReport =
    valueAt(report, ['backlot']) === 'coverage' && valueAt(report, ['version']) === 1;
  if (isReport && areCounts(all)) return all;
  throw new Problem('invalid', `${name} is not a report of contract coverage, version 1.`);
}

function areCounts(value: unknown): value is CoverageCounts {
  if (!isObject(value)) return false;
  const { requests, ...lists } = value;
  const all = Object.values(lists);
  return (
    isCount(requests) && all.every((list) => isObject(list) && Object.values(list).every(isCount))
  );
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Returns one report for several: of shards, or of servers. @throws Problem as `countsOf` */
export function mergeReports(
  reports: readonly (readonly [name: string, report: unknown])[],
  contract: Contract,
  options?: ReportOptions,
): CoverageReport {
  const all = reports.map(([name, report]) => countsOf(report, name));
  return coverageReport(mergeCounts(all), contract, options);
}

/**
 * The required coverage: a minimum percentage, or, if negative, a maximum number of items that are not met, as vitest
 * has it for its own coverage. `100: true` requires everything.
 */
export type Thresholds = { readonly [Name in Measure | 'all']?: number | undefined } & {
  readonly 100?: boolean | undefined;
};

/** The names of thresholds. */
export const thresholdNames: NamesOf<Required<Thresholds>> = {
  statuses: true,
  steps: true,
  states: true,
  transitions: true,
  all: true,
  100: true,
};

/** Returns a sentence for each threshold that a report does not meet. */
export function thresholdIssues({ summary }: CoverageReport, thresholds: Thresholds): string[] {
  const names = [...measures, 'all'] as const;
  return names.flatMap((name) => {
    const wanted = thresholds[100] === true ? 100 : thresholds[name];
    if (wanted === undefined) return [];
    const { percent, total, met } = summary[name];
    const subject = `Contract coverage of ${name}`;
    if (wanted >= 0)
      return percent >= wanted
        ? []
        : [`${subject} is ${percent}%, below the threshold of ${wanted}%.`];
    const missing = total - met;
    return missing <= -wanted
      ? []
      : [`${subject} lacks ${missing} items, above the threshold of ${-wanted}.`];
  });
}

/** Returns the counts of what the contract does not have, without measures: most of it is injected. */
function undocumentedOf(counts: CoverageCounts, items: readonly Item[]): Record<string, number> {
  const known = new Set(items.map(({ measure, id }) => itemKey(measure, id)));
  const others = Object.entries(counts.items).filter(
    ([key]) => !known.has(key) && key.startsWith('statuses: '),
  );
  return Object.fromEntries(others.map(([key, count]) => [key.replace(/^\w+: /, ''), count]));
}

/** Number of strays that get their nearest endpoint, which is slow to find. */
const maxNearest = 100;

function straysOf(
  counts: Readonly<Record<string, number>>,
  nearest: (name: string) => string | undefined = () => undefined,
): Unmatched[] {
  return Object.entries(counts)
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, count], at) => ({
      name,
      count,
      nearest: at < maxNearest ? nearest(name) : undefined,
    }));
}

function nearestEndpoint(name: string, endpoints: Contract['endpoints']): string | undefined {
  const [method = '', path = ''] = name.split(' ');
  const row = closestRow(method, path, endpoints);
  return row && `${row.method} ${row.path}`;
}
