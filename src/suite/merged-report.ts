import { withSilence, type ChaosReport } from './chaos.ts';
import type { MutantResult, MutateReport } from './mutate.ts';
import type { Unjudged } from './recorded-suite.ts';
import type { PlanPart, Shard } from './shard.ts';

/** Returns the report of a run from those of all of its shards. */
export function mergeMutateReports(reports: readonly MutateReport[]): MutateReport {
  const results = inPlace(
    reports.map(({ part, results: all }) => ({ part, results: all.filter(isOfField) })),
  );
  const places = new Map(results.map(({ subject }, at) => [subject, at] as const).toReversed());
  const controls = reports
    .flatMap((one) => one.results.filter((result) => !isOfField(result)))
    .toSorted((one, other) => places.get(one.subject)! - places.get(other.subject)!);
  return { ...reports[0]!, ...whole(reports), results: [...controls, ...results] };
}

/** Whether a mutant is one of the plan, and no control. */
function isOfField({ mutation }: MutantResult): boolean {
  return mutation.mutator !== 'control';
}

/** Returns the report of a run from those of all of its shards. */
export function mergeChaosReports(reports: readonly ChaosReport[]): ChaosReport {
  return { ...reports[0]!, ...whole(reports), results: withSilence(inPlace(reports)) };
}

/** Returns what reports have in common: each recorded the whole suite. */
function whole(reports: readonly (MutateReport | ChaosReport)[]) {
  const { plan } = reports[0]!.part;
  const all = <Key extends keyof Unjudged>(key: Key) =>
    distinct(reports.flatMap((one): readonly unknown[] => one[key] ?? [])) as NonNullable<
      Unjudged[Key]
    >;
  return {
    part: { plan, places: [...plan.keys()] },
    red: all('red'),
    flaky: all('flaky'),
    failing: all('failing'),
    errors: all('errors'),
    untried: all('untried'),
    ms: reports.reduce((sum, one) => sum + one.ms, 0),
  };
}

function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((one) => [JSON.stringify(one), one])).values()];
}

/** Returns the results of all reports in the order of the plan. */
function inPlace<Result>(
  reports: readonly { readonly part: PlanPart; readonly results: readonly Result[] }[],
): Result[] {
  return reports
    .flatMap(({ part, results }) => results.map((one, at) => [part.places[at]!, one] as const))
    .toSorted(([one], [other]) => one - other)
    .map(([, one]) => one);
}

/** What is known of the report of a shard. */
export interface ShardReport {
  /** Its file. */
  readonly name: string;
  readonly shard: Shard;
  readonly report: Pick<MutateReport | ChaosReport, 'part' | 'tests'>;
  /** The words of the command that ran the tests. */
  readonly command: readonly string[];
}

/** Returns why reports do not make a whole: one is missing, is there twice, or is of another run. */
export function mergeIssue(reports: readonly ShardReport[]): string | undefined {
  const first = reports[0]!;
  const { total } = first.shard;
  const other = reports.find(({ shard }) => shard.total !== total);
  if (other !== undefined)
    return `${first.name} is one of ${total} shards, and ${other.name} one of ${other.shard.total}`;
  const byIndex = Map.groupBy(reports, ({ shard }) => shard.index);
  for (const [index, [one, again]] of byIndex)
    if (again !== undefined)
      return `${one!.name} and ${again.name} are both of shard ${index}/${total}`;
  const missing = Array.from({ length: total }, (_, at) => at + 1).filter((at) => !byIndex.has(at));
  if (missing.length > 0)
    return `the report of shard ${missing.map((at) => `${at}/${total}`).join(', ')} is missing, and a part has no score`;
  for (const one of reports) {
    const why = differenceOf(first, one);
    if (why !== undefined) return `${first.name} and ${one.name} are of different runs: ${why}`;
  }
  const places = new Set(reports.flatMap(({ report }) => report.part.places));
  const count = reports.reduce((sum, { report }) => sum + report.part.places.length, 0);
  const { length } = first.report.part.plan;
  return places.size === length && count === length && Math.max(-1, ...places) < length
    ? undefined
    : `they have ${count} trials of ${length}`;
}

/** Returns what differs in two reports that is the same for all shards of a run. */
function differenceOf(one: ShardReport, other: ShardReport): string | undefined {
  const isSame = (values: (of: ShardReport) => unknown): boolean =>
    JSON.stringify(values(one)) === JSON.stringify(values(other));
  if (!isSame(({ command }) => command)) return 'their commands of the tests are not the same';
  const [mine, others] = [one, other].map(
    ({ report }) => new Set(report.tests.map(({ name, file }) => `'${name}' of ${file}`)),
  );
  const [lost] = mine!.symmetricDifference(others!);
  if (lost !== undefined)
    return `only one has a verdict of ${lost}. A test that fails or is flaky in one shard judges nothing there`;
  return isSame(({ report }) => report.part.plan)
    ? undefined
    : 'their plans are not the same. Run all shards on one commit, with the same flags';
}
