import { styleText } from 'node:util';
import { printable } from '../engine/lib/printable.ts';
import { counted } from '../engine/lib/problem.ts';
import { quoted } from '../engine/office/export/request-text.ts';
import { isChosen, orderText } from '../suite/calls.ts';
import { chaosSuite, type Cell, type CellResult } from '../suite/chaos.ts';
import { chaosReportText } from '../suite/chaos-report.ts';
import {
  causeOf,
  chaosSummary,
  findingsIn,
  findingText,
  gridText,
  isRed,
  planText,
} from '../suite/chaos-text.ts';
import { faultNames } from '../suite/fault-names.ts';
import { raceSuite } from '../suite/races.ts';
import { Baseline } from './baseline.ts';
import { assertCanSave, assertNotReplaced, saveFindings, traces } from './chaos-findings.ts';
import type { Arguments } from './commands.ts';
import { withSuite } from './suite.ts';
import { widthOf, wrapText } from './terminal.ts';
import { UsageError } from './values.ts';
import { writeWhole } from './whole-file.ts';

/**
 * Runs the suite of a command with one fault in one request at a time, or in each order in which responses can arrive, and prints
 * what the pages of its tests do not survive.
 *
 * @returns the exit code: 0, 1 for findings that the baseline does not have, or 2 for a suite that cannot be judged
 * @throws UsageError for a command line that cannot be run
 */
export async function chaos(args: Arguments<'chaos'>): Promise<number> {
  const { names, only, fault, races, out } = args;
  const unknown = fault.find((name) => !faultNames.some((one) => one === name));
  if (unknown !== undefined) {
    throw new UsageError(`--fault must be one of ${faultNames.join(', ')}, not '${unknown}'.`);
  }
  assertNotReplaced(args.baseline);
  assertCanSave();
  const baseline = new Baseline('chaos', args.baseline);
  const start = Date.now();
  return withSuite('chaos', args, async (suite, options, progress) => {
    let tried = 0;
    /** The causes that were told: the same in another test is in the grid only. */
    const told = new Set<string>();
    /** The results of one row. */
    let row: CellResult[] = [];
    const tell = (): void => {
      for (const finding of findingsIn(row.filter(({ id }) => !baseline.has(id)))) {
        const cause = causeOf(finding.cells[0]!);
        if (!told.has(cause)) progress.print(findingText(finding, styleText));
        told.add(cause);
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
    const findings = report.results.filter(isRed);
    const first = findings.find(({ id }) => !baseline.has(id));
    const width = widthOf(process.stdout) ?? Infinity;
    console.log(`\n${wrapText(gridText(report, styleText, width), width)}\n`);
    if (first !== undefined) {
      const test = `--test ${quoted(printablePart(first.test.name))}`;
      const command = names.map(quoted).join(' ');
      console.log(`One again: npx backlot chaos ${test} ${flagsOf(first)} -- ${command}\n`);
    }
    console.log(chaosSummary(report, styleText));
    const times = { start, stop: Date.now() };
    for (const file of out) writeWhole(file, chaosReportText(report, file, times));
    saveFindings(chaosReportText(report, '.json', times));
    return baseline.close(findings.map(({ id }) => id));
  });
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
