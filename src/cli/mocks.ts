import { resolve } from 'node:path';
import { styleText } from 'node:util';
import type { IntrospectionQuery } from 'graphql';
import { jsonLimits } from '../engine/lib/json-limits.ts';
import { parseJson } from '../engine/lib/json-value.ts';
import { readForeignText } from '../mounts/node/read-file.ts';
import { DocumentJudge } from '../suite/document-judge.ts';
import { GraphQlJudge, type GraphQlLibrary } from '../suite/graphql-judge.ts';
import { judgeMocks } from '../suite/mocks.ts';
import { mocksReportText, mocksSummary, mockText } from '../suite/mocks-text.ts';
import { Baseline } from './baseline.ts';
import type { Arguments } from './commands.ts';
import { loadApi } from './config.ts';
import { ContractJudge } from './contract-judge.ts';
import { withSuite } from './suite.ts';
import { widthOf, wrapText } from './terminal.ts';
import { UsageError } from './values.ts';
import { cannotRead, writeWhole } from './whole-file.ts';

/**
 * Returns what judges by a schema of GraphQL, in its own language, or as the JSON of an introspection.
 *
 * @throws UsageError
 */
async function readGraphQlJudge(file: string): Promise<GraphQlJudge> {
  const library: GraphQlLibrary = await import('graphql').catch(() => {
    throw new UsageError('--graphql requires GraphQL.js: run npm install --save-dev graphql');
  });
  try {
    const text = readForeignText(resolve(file), jsonLimits.scenario.bytes);
    const json = parseJson(text) as { readonly data?: unknown } | undefined;
    const schema =
      json === undefined
        ? library.buildSchema(text)
        : library.buildClientSchema((json.data ?? json) as IntrospectionQuery);
    return new GraphQlJudge(library, schema);
  } catch (error) {
    throw cannotRead(file, error);
  }
}

/**
 * Runs the suite of a command once, and prints what its mocks respond that an OpenAPI document, a schema of GraphQL, or the
 * contract of the store API does not allow.
 *
 * @returns the exit code: 0, 1 for findings that the baseline does not have, or 2 for a suite without a response that can be judged
 * @throws UsageError for a command line that cannot be run
 */
export async function mocks(args: Arguments<'mocks'>): Promise<number> {
  const baseline = new Baseline('mocks', args.baseline);
  const { openapi, graphql } = args;
  const api = (openapi ?? graphql) ? undefined : await loadApi(args);
  const graphQlJudge = graphql === undefined ? undefined : await readGraphQlJudge(graphql);
  const limits = { budget: undefined, max: undefined, since: undefined, shard: undefined };
  return withSuite('mocks', { ...args, ...limits }, async (suite, options, progress, document) => {
    const report = await judgeMocks(
      suite,
      (responses) =>
        graphQlJudge ??
        (document === undefined ? new ContractJudge(api!) : new DocumentJudge(document, responses)),
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
