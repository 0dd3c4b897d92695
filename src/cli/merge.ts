import type { ChaosReport } from '../suite/chaos.ts';
import { mergeChaosReports, mergeIssue, mergeMutateReports } from '../suite/merged-report.ts';
import type { MutateReport } from '../suite/mutate.ts';
import { Baseline } from './baseline.ts';
import { assertCanSave, assertNotReplaced } from './chaos-findings.ts';
import { closeChaos, printCells, writeCells } from './chaos.ts';
import type { Arguments } from './commands.ts';
import { assertReports } from './findings-files.ts';
import { closeMutate, printMutants, writeMutants } from './mutate.ts';
import { readShard } from './shard-file.ts';
import { UsageError } from './values.ts';

/**
 * Merges the reports of the shards of a run, and prints what the run would have printed.
 *
 * @returns the exit code: 0, 1 for findings that the baseline does not have, or 2 if a response was not tried
 * @throws UsageError for files that are not the reports of all shards of one run
 */
export function merge({ names, baseline: known, out, failOn }: Arguments<'merge'>): number {
  assertReports(out);
  const all = names.map((name) => ({ name, ...readShard(name) }));
  const [first] = all;
  if (first === undefined)
    throw new UsageError('merge requires the reports of all shards: backlot merge shard-*.json');
  const other = all.find(({ backlot }) => backlot !== first.backlot);
  if (other !== undefined)
    throw new UsageError(
      `${first.name} is a report of a ${first.backlot}, and ${other.name} of a ${other.backlot}.`,
    );
  const issue = mergeIssue(all);
  if (issue !== undefined) throw new UsageError(`Cannot merge reports: ${issue}.`);
  const { command } = first;
  if (first.backlot === 'mutate shard') {
    const reports = all.flatMap((one) => (one.backlot === 'mutate shard' ? [one.report] : []));
    const report = mergeMutateReports(reports);
    if (isEmpty(report)) {
      writeMutants(report, out);
      return 0;
    }
    const baseline = new Baseline('mutate', known);
    printMutants(report, baseline);
    return closeMutate(report, { baseline, out, command, failOn });
  }
  assertNotReplaced(known);
  assertCanSave();
  const report = mergeChaosReports(
    all.flatMap((one) => (one.backlot === 'chaos shard' ? [one.report] : [])),
  );
  if (isEmpty(report)) {
    writeCells(report, out);
    return 0;
  }
  const baseline = new Baseline('chaos', known);
  printCells(report, baseline);
  return closeChaos(report, { baseline, out, command, failOn });
}

/** Whether nothing was planned, which is said then. */
function isEmpty({ part: { plan } }: MutateReport | ChaosReport): boolean {
  if (plan.length > 0) return false;
  console.log('Nothing has changed: nothing was tried.');
  return true;
}
