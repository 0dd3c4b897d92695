import { appendFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { junitXml, type JunitCase } from '../reports/junit.ts';
import type { ReportedFindings } from '../suite/findings.ts';
import { markdownReport, sarifReport, workflowCommands } from '../suite/findings-report.ts';
import { version } from './arguments.ts';
import { topOf } from './since.ts';
import { assertWritable, writeWhole } from './whole-file.ts';

/** The value of `--out` that has GitHub Actions show findings. */
export const github = 'github';

/** Checks, before long work, that reports can be written. @throws UsageError */
export function assertReports(out: readonly string[]): void {
  for (const file of out) if (file !== github) assertWritable(file);
}

/**
 * Writes findings in a format that both commands have: Markdown, JUnit, SARIF, or annotations of GitHub Actions with the summary of a
 * step.
 *
 * @param cases returns what JUnit lists
 * @returns false for another format
 */
export function writeFindings(
  file: string,
  found: ReportedFindings,
  cases: () => readonly JunitCase[],
): boolean {
  const { command } = found;
  if (file === github) {
    const located = inRepository(found);
    for (const line of workflowCommands(located)) console.log(line);
    const summary = process.env['GITHUB_STEP_SUMMARY'] ?? '';
    if (summary !== '') appendFileSync(summary, markdownReport(located));
  } else if (file.endsWith('.md')) writeWhole(file, markdownReport(inRepository(found)));
  else if (file.endsWith('.xml')) writeWhole(file, `${junitXml(`backlot ${command}`, cases())}\n`);
  else if (file.endsWith('.sarif')) {
    const report = sarifReport(inRepository(found), version());
    writeWhole(file, `${JSON.stringify(report, null, 2)}\n`);
  } else return false;
  return true;
}

/** Returns findings whose files are relative to the root of the repository. */
function inRepository(found: ReportedFindings): ReportedFindings {
  const folder = process.cwd();
  const top = topOf(folder) ?? folder;
  const findings = found.findings.map(({ at, ...one }) => {
    if (at === undefined) return one;
    const file = relative(top, resolve(folder, at.file)).replaceAll('\\', '/');
    return { ...one, at: { ...at, file } };
  });
  return { ...found, findings };
}
