import { styleText } from 'node:util';
import { counted } from '../engine/lib/problem.ts';
import { quoted } from '../engine/office/export/request-text.ts';
import { isChosen } from '../suite/calls.ts';
import { mutateFindings, type IsKnown } from '../suite/findings.ts';
import { mutateSuite, type MutantResult, type MutateReport } from '../suite/mutate.ts';
import { mutationPage } from '../suite/mutation-page.ts';
import { mutantCases, mutationTestReport } from '../suite/mutation-report.ts';
import { nothingTried } from '../suite/recorded-suite.ts';
import { ResponseRules } from '../suite/response-rules.ts';
import type { Shard } from '../suite/shard.ts';
import {
  assertionsText,
  fieldOf,
  findingText,
  isFinding,
  summaryText,
  untriedSubjects,
} from '../suite/mutate-text.ts';
import { version } from './arguments.ts';
import { Baseline } from './baseline.ts';
import type { Arguments } from './commands.ts';
import { github, writeFindings } from './findings-files.ts';
import { shardText, writeShard } from './shard-file.ts';
import { withSuite, type SuiteWork } from './suite.ts';
import { widthOf, wrapText } from './terminal.ts';
import { writeWhole } from './whole-file.ts';

/**
 * Runs the suite of a command with each field wrong that its code reads, and prints what no test notices.
 *
 * @returns the exit code: 0, 1 for survivors that the baseline does not have, or 2 for a suite that cannot be judged, or of which a
 * response was not tried
 * @throws UsageError for a command line that cannot be run
 */
export async function mutate(args: Arguments<'mutate'>): Promise<number> {
  const { names, only, out, shard, failOn } = args;
  const baseline = new Baseline('mutate', args.baseline);
  const closeAsShard = (report: MutateReport, of: Shard): void =>
    writeShard({ backlot: 'mutate shard', version: 1, shard: of, command: names, report }, out);
  const onNothing = (): void => {
    const report = { ...nothingTried, subjects: [] };
    if (shard === undefined) writeMutants(report, out);
    else closeAsShard(report, shard);
  };
  const work: SuiteWork = async (suite, options, progress, document) => {
    let tried = 0;
    /** The fields that were told: what else survives there is in the baseline and in the reports only. */
    const toldFields = new Set<string>();
    const report = await mutateSuite(suite, {
      ...options,
      rules: document && new ResponseRules(document),
      includes: ({ id }) => isChosen(id, only),
      onResult(result) {
        if (isFinding(result) && !baseline.has(result.id)) {
          const field = fieldOf(result);
          if (!toldFields.has(field)) progress.print(lineOf(result));
          toldFields.add(field);
        }
        progress.report(counted((tried += 1), 'mutant'));
      },
    });
    progress.end();
    if (shard === undefined) return closeMutate(report, { baseline, out, command: names, failOn });
    closeAsShard(report, shard);
    console.log(shardText(shard, report));
    return 0;
  };
  return withSuite('mutate', args, work, onNothing);
}

/** What is done with a report. */
export interface Closing {
  readonly baseline: Baseline;
  readonly out: readonly string[];
  /** The words of the command that ran the tests. */
  readonly command: readonly string[];
  /** Whether findings fail the command though GitHub Actions shows them. */
  readonly failOn: 'new' | undefined;
}

/** Returns the exit code of a command that has tried what it was to try. */
export function codeOf(code: number, { out, failOn }: Closing): number {
  return out.includes(github) && failOn === undefined ? 0 : code;
}

/** Prints what a report says, and writes it. @returns the exit code */
export function closeMutate(report: MutateReport, closing: Closing): number {
  const { baseline, out, command } = closing;
  const findings = report.results.filter(isFinding);
  const added = findings.filter(({ id }) => !baseline.has(id));
  if (added[0] !== undefined) {
    const told = assertionsText(added, styleText, report.assertions);
    console.log(`\nWhat would notice:\n${told}\n`);
    const words = command.map(quoted).join(' ');
    console.log(`One again: npx backlot mutate --only ${quoted(added[0].id)} -- ${words}\n`);
  }
  const width = widthOf(process.stdout) ?? Infinity;
  console.log(wrapText(summaryText(report, styleText, width), width));
  writeMutants(report, out, (id) => baseline.has(id));
  const code = baseline.close(findings.map(({ id }) => id));
  const isUntried = code === 0 && untriedSubjects(report.results).length > 0;
  return codeOf(isUntried ? 2 : code, closing);
}

/** Writes a report in the formats that the names of files say. */
export function writeMutants(
  report: MutateReport,
  out: readonly string[],
  isKnown: IsKnown = () => false,
): void {
  const json = mutationTestReport(report, version());
  const found = mutateFindings(report, isKnown);
  for (const file of out) {
    if (writeFindings(file, found, () => mutantCases(report))) continue;
    const isPage = file.endsWith('.html');
    writeWhole(file, isPage ? mutationPage(report) : `${JSON.stringify(json, null, 2)}\n`);
  }
}

/** Prints the findings of a report, one of each field. */
export function printMutants({ results }: MutateReport, baseline: Baseline): void {
  const findings = results.filter((one) => isFinding(one) && !baseline.has(one.id));
  const byField = Map.groupBy(findings, fieldOf);
  for (const [first] of byField.values()) console.log(lineOf(first!));
}

function lineOf(result: MutantResult): string {
  return `${styleText('red', '✗')} ${findingText(result)}`;
}
