import { styleText } from 'node:util';
import { DocumentJudge } from '../suite/document-judge.ts';
import { judgeMocks } from '../suite/mocks.ts';
import { mocksReportText, mocksSummary, mockText } from '../suite/mocks-text.ts';
import { Baseline } from './baseline.ts';
import type { Arguments } from './commands.ts';
import { loadApi } from './config.ts';
import { ContractJudge } from './contract-judge.ts';
import { withSuite } from './suite.ts';
import { widthOf, wrapText } from './terminal.ts';
import { writeWhole } from './whole-file.ts';

/**
 * Runs the suite of a command once, and prints what its mocks respond that an OpenAPI document, or the contract of the store API,
 * does not allow.
 *
 * @returns the exit code: 0, 1 for findings that the baseline does not have, or 2 for a suite without a response that can be judged
 * @throws UsageError for a command line that cannot be run
 */
export async function mocks(args: Arguments<'mocks'>): Promise<number> {
  const baseline = new Baseline('mocks', args.baseline);
  const api = args.openapi === undefined ? await loadApi(args) : undefined;
  const limits = { budget: undefined, max: undefined, since: undefined, shard: undefined };
  return withSuite('mocks', { ...args, ...limits }, async (suite, options, progress, document) => {
    const report = await judgeMocks(
      suite,
      (responses) =>
        document === undefined ? new ContractJudge(api!) : new DocumentJudge(document, responses),
      options.includesTest,
    );
    for (const finding of report.findings)
      if (!baseline.has(finding.id)) progress.print(mockText(finding, styleText));
    progress.end();
    console.log(wrapText(mocksSummary(report, styleText), widthOf(process.stdout) ?? Infinity));
    for (const file of args.out) writeWhole(file, mocksReportText(report, file));
    return baseline.close(report.findings.map(({ id }) => id));
  });
}
