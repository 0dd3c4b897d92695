import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtInNames, openBuiltIn } from '../engine/scenario/built-in.ts';
import { leftOutText, type LeftOut } from '../engine/scenario/data.ts';
import { startOf } from '../engine/scenario/start.ts';
import type { ApiDefinition, ApiEndpoint } from '../engine/definition/api.ts';
import { addressOf } from '../engine/lib/api-path.ts';
import { Problem } from '../engine/lib/problem.ts';
import { openBackOffice } from '../engine/office/open-back-office.ts';
import { answerExample, openForExamples } from '../engine/office/answer-example.ts';
import { jsonHeaders } from '../engine/rest/errors.ts';
import type { ApiResponse } from '../engine/rest/message.ts';
import { configFile, loadApi, type ApiFlags } from './config.ts';
import { printIssue, printWrapped } from './terminal.ts';
import { UsageError } from './values.ts';
import { withPage } from '../engine/lib/error-page.ts';

/**
 * Checks the definition of an API: that it can be opened with each of its scenarios, that its examples succeed, and that
 * its code does the same each time. Prints what it finds.
 *
 * @returns the exit code: 1 if there is an issue
 */
export async function check(flags: ApiFlags): Promise<number> {
  const file = configFile(flags);
  if (file === undefined)
    throw new UsageError(
      withPage(
        'no-definition',
        'There is no backlot.config.ts. Name the file: check --config <file>.',
      ),
    );
  const api = await loadApi(flags);
  const hints = new Set<string>();
  const issues = [...scenarioIssues(api, hints), ...exampleIssues(api, file, hints)];
  for (const hint of hints) console.log(hint);
  for (const issue of issues) printIssue(issue);
  if (issues.length > 0) return 1;
  const own = api.endpoints.filter(({ isExtension }) => isExtension).length;
  printWrapped(
    `${file}: ${api.endpoints.length} endpoints, ${own} of its own, and ${builtInNames(api).length} scenarios are sound.`,
  );
  return 0;
}

/** Returns the issues of the scenarios. The largest one has the records of another, and takes seconds. */
function scenarioIssues(api: ApiDefinition, hints: Set<string>): string[] {
  const leftOut = new Map<string, readonly LeftOut[]>();
  const issues = builtInNames(api)
    .filter((name) => name !== 'large')
    .flatMap((name) => {
      try {
        leftOut.set(name, startOf(openBuiltIn(api, name)).leftOut ?? []);
        return [];
      } catch (error) {
        if (error instanceof Problem) return [error.message];
        throw error;
      }
    });
  const names = Array.from(leftOut, ([name, records]) => (records.length === 0 ? [] : name)).flat();
  const records = [...leftOut.values()].flat();
  const [name = ''] = names;
  if (records.length > 0)
    hints.add(
      `Inherited records that refer to what a scenario lacks are left out of it: ${leftOutText(records)} of ${names.join(', ')}. To say which a scenario has: \`scenarios: { ${name}: { data: { ${records[0]?.table}: ${records[0]?.field === undefined ? '[]' : '[…]'} } } }\`.`,
    );
  return issues;
}

/** Sends the example of each endpoint, twice from the same state, and returns what is wrong with the responses. */
function exampleIssues(api: ApiDefinition, file: string, hints: Set<string>): string[] {
  const reported: string[] = [];
  const report = (error: unknown): void => void reported.push(messageOf(error));
  const office = openForExamples(api, report);
  const send = (row: ApiEndpoint, prefer?: string): ApiResponse =>
    answerExample(office, row, (method, url, body) => ({
      method,
      url: addressOf(api.path, url),
      headers: { ...(body !== undefined && jsonHeaders), prefer },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }));
  const uses = new Set<string>();
  const failed = api.endpoints.flatMap((row) => {
    const example = `${row.method} ${row.example.url}`;
    const answers = [send(row), withoutChance(file, uses, () => send(row))];
    const [first, second] = answers.map(({ status, body = '' }) => ({ status, body }));
    if (first?.status === 404 && row.isExtension) {
      const [, , name = ''] = row.path.split('/');
      hints.add(
        `The scenario default has no record 1 of ${name}, so documents show no responses of their examples. Add one by \`scenarios: { default: { data: … } }\`.`,
      );
      return [];
    }
    if (first?.status !== row.status) {
      const why = first?.status === 500 ? reported.at(-1) : first?.body;
      return [`The example ${example} is answered ${first?.status}, not ${row.status}: ${why}`];
    }
    return first.body === second?.body
      ? []
      : [
          `The example ${example} has another response each time: its code depends on more than its call.`,
        ];
  });
  const read = api.endpoints.filter(({ method }) => method === 'GET');
  const faulty = Object.entries(api.faultKinds).flatMap(([name, { prefer }]) => {
    if (prefer?.example === undefined) return [];
    const apply = () => JSON.stringify(read.map((row) => send(row, `${name}=${prefer.example}`)));
    return apply() === withoutChance(file, uses, apply)
      ? []
      : [
          `The fault ${name} has another response each time: its code depends on more than its call.`,
        ];
  });
  sendToAuth(api, report);
  const others = new Set(reported.filter((one) => !failed.some((line) => line.includes(one))));
  return [...uses, ...failed, ...faulty, ...others];
}

/** Sends a request to `auth`, which examples pass by. It may be denied. */
function sendToAuth(api: ApiDefinition, report: (error: unknown) => void): void {
  const list = api.endpoints.find(({ method }) => method === 'GET');
  if (list === undefined) return;
  const office = openBackOffice({ api, report });
  office.dryRun({ method: 'GET', url: addressOf(api.path, list.example.url), headers: {} });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Functions that differ at each start, and their substitutes in a definition. */
const sources = [
  {
    of: Date,
    name: 'now',
    text: 'Date.now()',
    instead: '`clock.now()` of the call',
    real: Date.now.bind(Date),
    other: () => 42 * 365 * 86_400_000,
  },
  {
    of: Math,
    name: 'random',
    text: 'Math.random()',
    instead: 'a value that follows from the call',
    real: Math.random.bind(Math),
    other: () => 0.123,
  },
  {
    of: crypto,
    name: 'randomUUID',
    text: 'crypto.randomUUID()',
    instead: 'the id of a record',
    real: crypto.randomUUID.bind(crypto),
    other: () => '00000000-0000-4000-8000-000000000000',
  },
];

/** Runs work in which the clock and the chance of the machine differ, and notes where the file uses them. */
function withoutChance<Result>(file: string, uses: Set<string>, work: () => Result): Result {
  for (const { of, name, text, instead, real, other } of sources)
    Reflect.set(of, name, () => {
      const line = lineIn(file);
      if (line === undefined) return real();
      uses.add(`${file}:${line} calls ${text}, which differs at each start: use ${instead}.`);
      return other();
    });
  try {
    return work();
  } finally {
    for (const { of, name, real } of sources) Reflect.set(of, name, real);
  }
}

/** Returns the line of a file that has called, directly or through others. */
function lineIn(file: string): string | undefined {
  const urls = Array.from(
    new Error('trace').stack?.matchAll(
      /(?<![^\s(])(file:\/\/[^\s()?]*?)(?:\?[^\s():]*)?:(\d+):\d+/g,
    ) ?? [],
  );
  const found = urls.find(([, url = '']) => fileURLToPath(url) === path.resolve(file));
  return found?.[2];
}
