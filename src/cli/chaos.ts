import { styleText } from 'node:util';
import { printable } from '../engine/lib/printable.ts';
import { counted } from '../engine/lib/problem.ts';
import { quoted } from '../engine/office/export/request-text.ts';
import { isChosen, orderText } from '../suite/calls.ts';
import { chaosSuite, type Cell, type CellResult, type ChaosReport } from '../suite/chaos.ts';
import { chaosCases, chaosReportText } from '../suite/chaos-report.ts';
import {
  chaosSummary,
  findingsIn,
  findingText,
  gridText,
  isRed,
  planText,
} from '../suite/chaos-text.ts';
import { chaosFindings, type IsKnown } from '../suite/findings.ts';
import { raceSuite } from '../suite/races.ts';
import { nothingTried } from '../suite/recorded-suite.ts';
import type { Shard } from '../suite/shard.ts';
import { Baseline } from './baseline.ts';
import { assertCanSave, assertNotReplaced, saveFindings, traces } from './chaos-findings.ts';
import type { Arguments } from './commands.ts';
import { writeFindings } from './findings-files.ts';
import { codeOf, type Closing } from './mutate.ts';
import { shardText, writeShard } from './shard-file.ts';
import { withSuite, type SuiteWork } from './suite.ts';
import { widthOf, wrapText } from './terminal.ts';
import { writeWhole } from './whole-file.ts';

/**
 * Runs the suite of a command with one fault in one request at a time, or in each order in which responses can arrive, and prints
 * what the pages of its tests do not survive.
 *
 * @returns the exit code: 0, 1 for findings that the baseline does not have, or 2 for a suite that cannot be judged
 * @throws UsageError for a command line that cannot be run
 */
export async function chaos(args: Arguments<'chaos'>): Promise<number> {
  const { names, only, fault, races, out, shard, failOn } = args;
  assertNotReplaced(args.baseline);
  assertCanSave();
  const baseline = new Baseline('chaos', args.baseline);
  const closeAsShard = (report: ChaosReport, of: Shard): void =>
    writeShard({ backlot: 'chaos shard', version: 1, shard: of, command: names, report }, out);
  const onNothing = (): void => {
    const report = { ...nothingTried, failingCalls: [] };
    if (shard === undefined) writeCells(report, out);
    else closeAsShard(report, shard);
  };
  const work: SuiteWork = async (suite, options, progress) => {
    let tried = 0;
    /** The causes that were told: the same in another test is in the grid only. */
    const told = new Set<string>();
    /** The results of one row. */
    let row: CellResult[] = [];
    const tell = (): void => {
      for (const finding of findingsIn(row.filter(({ id }) => !baseline.has(id)))) {
        if (!told.has(finding.cause)) progress.print(findingText(finding, styleText));
        told.add(finding.cause);
      }
      row = [];
    };
    const report = await (races ? raceSuite : chaosSuite)(suite, {
      ...options,
      traces,
      failsSlowWrites: fault.includes('slow'),
      includes: (cell) =>
        namesOf(cell).some((name) => isChosen(name, only)) &&
        (fault.length === 0 || ('fault' in cell && fault.includes(cell.fault))),
      onPlanned(plan) {
        const text = planText(plan);
        if (text !== undefined) progress.print(`${text}\n`);
      },
      onResult(result) {
        const [last] = row;
        if (last?.test.id !== result.test.id || last.row !== result.row) tell();
        row.push(result);
        progress.report(counted((tried += 1), 'cell'));
      },
    });
    tell();
    progress.end();
    if (shard === undefined) return closeChaos(report, { baseline, out, command: names, failOn });
    closeAsShard(report, shard);
    console.log(shardText(shard, report));
    return 0;
  };
  return withSuite('chaos', args, work, onNothing);
}

/** Prints the grid of a report, and writes it. @returns the exit code */
export function closeChaos(report: ChaosReport, closing: Closing): number {
  const { baseline, out, command } = closing;
  const findings = report.results.filter(isRed);
  const first = findings.find(({ id }) => !baseline.has(id));
  const width = widthOf(process.stdout) ?? Infinity;
  console.log(`\n${wrapText(gridText(report, styleText, width), width)}\n`);
  if (first !== undefined) {
    const test = `--test ${quoted(printablePart(first.test.name))}`;
    const words = command.map(quoted).join(' ');
    console.log(`One again: npx backlot chaos ${test} ${flagsOf(first)} -- ${words}\n`);
  }
  console.log(chaosSummary(report, styleText));
  saveFindings(writeCells(report, out, (id) => baseline.has(id)));
  return codeOf(baseline.close(findings.map(({ id }) => id)), closing);
}

/** Writes a report in the formats that the names of files say. @returns it as JSON */
export function writeCells(
  report: ChaosReport,
  out: readonly string[],
  isKnown: IsKnown = () => false,
): string {
  const ended = new Date();
  const found = chaosFindings(report, isKnown);
  for (const file of out)
    if (!writeFindings(file, found, () => chaosCases(report)))
      writeWhole(file, chaosReportText(report, file, ended));
  return chaosReportText(report, '.json', ended);
}

/** Prints the findings of a report, one of each cause. */
export function printCells({ results }: ChaosReport, baseline: Baseline): void {
  for (const finding of findingsIn(results.filter(({ id }) => !baseline.has(id))))
    console.log(findingText(finding, styleText));
}

/** Returns the names by which `--only` chooses a cell. */
function namesOf(cell: Cell): readonly string[] {
  if (!('order' in cell)) return [cell.endpoint];
  return [orderText(cell.order), ...cell.order.map(({ endpoint }) => endpoint)];
}

/** Returns the flags that choose a cell. */
function flagsOf(cell: Cell): string {
  return 'order' in cell
    ? `--races --only ${quoted(printablePart(orderText(cell.order)))}`
    : `--only ${quoted(printablePart(cell.endpoint))} --fault ${quoted(cell.fault)}`;
}

/** Returns the longest part of a name without characters that control a terminal. */
function printablePart(name: string): string {
  const parts = printable(name, '\n').split('\n');
  return parts.toSorted((one, other) => other.length - one.length)[0] ?? '';
}
