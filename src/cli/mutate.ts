import { styleText } from 'node:util';
import { counted } from '../engine/lib/problem.ts';
import { quoted } from '../engine/office/export/request-text.ts';
import { isChosen } from '../suite/calls.ts';
import { mutateSuite, type MutateReport } from '../suite/mutate.ts';
import { mutationPage } from '../suite/mutation-page.ts';
import { mutationTestReport } from '../suite/mutation-report.ts';
import { ResponseRules } from '../suite/response-rules.ts';
import type { PageAssertions } from '../suite/suite-runner.ts';
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
import { withSuite } from './suite.ts';
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
  const { names, only, out } = args;
  const baseline = new Baseline('mutate', args.baseline);
  return withSuite('mutate', args, async (suite, options, progress, document) => {
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
          if (!toldFields.has(field))
            progress.print(`${styleText('red', '✗')} ${findingText(result)}`);
          toldFields.add(field);
        }
        progress.report(counted((tried += 1), 'mutant'));
      },
    });
    progress.end();
    const findings = report.results.filter(isFinding);
    const added = findings.filter(({ id }) => !baseline.has(id));
    if (added[0] !== undefined) {
      const told = assertionsText(added, styleText, suite.assertions);
      console.log(`\nWhat would notice:\n${told}\n`);
      const command = names.map(quoted).join(' ');
      console.log(`One again: npx backlot mutate --only ${quoted(added[0].id)} -- ${command}\n`);
    }
    const width = widthOf(process.stdout) ?? Infinity;
    console.log(wrapText(summaryText(report, styleText, width), width));
    write(report, out, suite.assertions);
    const code = baseline.close(findings.map(({ id }) => id));
    return code === 0 && untriedSubjects(report.results).length > 0 ? 2 : code;
  });
}

function write(report: MutateReport, out: readonly string[], assertions?: PageAssertions): void {
  const json = mutationTestReport(report, version());
  for (const file of out) {
    const isPage = file.endsWith('.html');
    const text = isPage ? mutationPage(report, assertions) : `${JSON.stringify(json, null, 2)}\n`;
    writeWhole(file, text);
  }
}
