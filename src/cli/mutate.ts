import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { counted } from '../engine/lib/problem.ts';
import { quoted } from '../engine/office/export/request-text.ts';
import { isChosen } from '../suite/calls.ts';
import { mutateSuite, type MutateReport } from '../suite/mutate.ts';
import { mutationHtml, mutationTestReport } from '../suite/mutation-report.ts';
import { assertionsText, isFinding, summaryText } from '../suite/mutate-text.ts';
import { version } from './arguments.ts';
import { Baseline } from './baseline.ts';
import type { Arguments } from './commands.ts';
import { withSuite } from './suite.ts';
import { widthOf, wrapText } from './terminal.ts';
import { writeWhole } from './whole-file.ts';

/**
 * Runs the suite of a command with each field wrong that its code reads, and prints what no test notices.
 *
 * @returns the exit code: 0, 1 for survivors that the baseline does not have, or 2 for a suite that cannot be judged
 * @throws UsageError for a command line that cannot be run
 */
export async function mutate(args: Arguments<'mutate'>): Promise<number> {
  const { names, only, out } = args;
  const baseline = new Baseline('mutate', args.baseline);
  return withSuite('mutate', args, async (suite, options, progress) => {
    let tried = 0;
    const report = await mutateSuite(suite, {
      ...options,
      includes: ({ id }) => isChosen(id, only),
      onResult(result) {
        if (isFinding(result) && !baseline.has(result.id))
          progress.print(`${styleText('red', '✗')} ${result.id}`);
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
    write(report, out);
    return baseline.close(findings.map(({ id }) => id));
  });
}

function write(report: MutateReport, out: readonly string[]): void {
  const json = mutationTestReport(report, version());
  for (const file of out) {
    const text = `${JSON.stringify(json, null, 2)}\n`;
    writeWhole(file, file.endsWith('.html') ? mutationHtml(json, elements()) : text);
  }
}

/** Returns the script that shows reports of mutants. */
function elements(): string {
  const file = import.meta.resolve('#pages/mutation-elements.js.gz');
  return gunzipSync(readFileSync(fileURLToPath(file))).toString();
}
