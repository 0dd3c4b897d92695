import { counted } from '../engine/lib/problem.ts';
import { countNote, firstLine, ranText, SuiteError } from './recorded-suite.ts';
import { shown, type Difference } from './schema-shape.ts';
import type { Recording, SuiteRunner, SuiteTest } from './suite-runner.ts';
import type { ReceivedResponse } from './trials.ts';
import { mocksTexts } from './untried.ts';
import { fieldText } from './mutations.ts';

/** What is wrong with a response, by what describes its API. */
export interface MockFault {
  readonly kind: 'path' | 'method' | 'status' | 'body' | Difference['kind'];
  /** `items[].total`; empty for the whole response. */
  readonly field: string;
  /** `expected number, received "12"` */
  readonly text: string;
}

/** What a description of an API says of a response. */
export interface JudgedResponse {
  /** `GET /pets/:id 200` */
  readonly subject: string;
  readonly faults: readonly MockFault[];
}

/** Says what is wrong with responses. */
export interface MockJudge {
  /** Returns undefined for a response of another API. */
  judge(response: ReceivedResponse): JudgedResponse | undefined;
  /** Says what could not be judged, as sentences, when all is judged. */
  readonly notes: readonly string[];
  /** Says why no response could be judged. @param example the first of them */
  whyNone(example: string): string;
}

/** A response that a test received, and the test. */
export interface MetResponse extends ReceivedResponse {
  readonly test: SuiteTest;
}

/** A fault of the responses of an endpoint, and the tests that met it. */
export interface MockFinding extends MockFault {
  /** Without values, which differ from run to run. */
  readonly id: string;
  readonly subject: string;
  readonly tests: readonly SuiteTest[];
}

/** What the responses of a suite say that their API would not. */
export interface MocksReport {
  readonly findings: readonly MockFinding[];
  /** Number of responses that were judged. */
  readonly judged: number;
  /** Their endpoints and statuses. */
  readonly subjects: readonly string[];
  readonly tests: readonly SuiteTest[];
  /** What was not judged, as sentences. */
  readonly notes: readonly string[];
}

/**
 * Runs a suite once as it is, and judges each response that its tests receive.
 *
 * @param judgeOf returns what judges them
 * @param includesTest whether the responses of a test count
 * @throws SuiteError if no response can be judged
 */
export async function judgeMocks(
  suite: SuiteRunner,
  judgeOf: (responses: readonly ReceivedResponse[]) => MockJudge,
  includesTest: (test: SuiteTest) => boolean = () => true,
): Promise<MocksReport> {
  if (suite.recordOnce === undefined)
    throw new SuiteError(
      'mocks judges what tests of vitest and Jest receive. What pages of Playwright receive, from page.route, MSW or a server, is not seen.',
    );
  const recording = await suite.recordOnce();
  const tests = recording.tests.filter((one) => one.attempts.length > 0 && includesTest(one));
  const met = metResponses({ ...recording, tests });
  const sent = met.filter(({ url, status }) => url !== '' && status > 0);
  if (sent.length === 0) throw new SuiteError(nothingReceived(recording, met.length));
  const judge = judgeOf(sent);
  const results = sent.map((response) => ({ response, result: judge.judge(response) }));
  const judged = results.flatMap(({ response: { test }, result }) =>
    result === undefined ? [] : [{ test, result }],
  );
  const [first] = sent;
  if (judged.length === 0)
    throw new SuiteError(judge.whyNone(`${first!.method} ${withoutQuery(first!.url)}`));
  const others = results.filter(({ result }) => result === undefined);
  return {
    findings: findingsOf(judged),
    judged: judged.length,
    subjects: [...new Set(judged.map(({ result }) => result.subject))],
    tests,
    notes: [
      ...othersText(others.map(({ response }) => response)),
      ...countNote(
        met.filter(({ url }) => url === '').length,
        'response',
        'without a request, of a function in place of fetch: not judged. Stub the global fetch, or mock with MSW.',
      ),
      ...judge.notes,
      ...mocksTexts(tests),
      ...recording.errors.map((text) => `Outside of tests: ${firstLine(text)}`),
    ],
  };
}

/** Returns what the tests of a suite received, and what its files received outside of them. */
function metResponses({ tests, outside }: Recording): MetResponse[] {
  const files = new Set(tests.map(({ file }) => file));
  return [
    ...tests.flatMap(({ id, name, file, received = [] }) =>
      received.map((one) => ({ ...one, test: { id, name, file } })),
    ),
    ...Object.entries(outside)
      .filter(([file]) => files.has(file))
      .flatMap(([file, { received = [] }]) => {
        const test = { id: file, name: 'beforeAll, or the file itself', file };
        return received.map((one) => ({ ...one, test }));
      }),
  ];
}

function findingsOf(
  judged: readonly { readonly test: SuiteTest; readonly result: JudgedResponse }[],
): MockFinding[] {
  const all = judged.flatMap(({ test, result: { subject, faults } }) =>
    faults.map((fault) => {
      return { ...fault, test, subject, id: `${subject} ${fault.field} ${fault.kind}` };
    }),
  );
  return Array.from(Map.groupBy(all, ({ id }) => id).values(), (some) => {
    const { test: _test, ...finding } = some[0]!;
    const tests = new Map(some.map(({ test }) => [test.id, test]));
    return { ...finding, tests: [...tests.values()] };
  });
}

function nothingReceived({ tests, errors }: Recording, made: number): string {
  const [error] = errors;
  if (tests.length === 0)
    return error === undefined
      ? 'There are no tests.'
      : `The suite fails as it is: ${firstLine(error)}`;
  const received =
    made === 0
      ? 'none received a response by fetch, XMLHttpRequest, node:http or undici'
      : `all of the ${counted(made, 'response')} that they received have no request`;
  return [`${ranText(tests)}, and ${received}.`, ...mocksTexts(tests), ...failuresText(tests)].join(
    ' ',
  );
}

/** Says which tests fail, which may be why they receive nothing. */
function failuresText(tests: Recording['tests']): string[] {
  const errors = tests.flatMap(({ name, file, attempts }) => {
    const error = attempts.find((one) => one.error !== undefined)?.error;
    return error === undefined ? [] : [`'${name}' of ${file}: ${firstLine(error)}`];
  });
  return countNote(errors.length, 'test', `failed, such as ${errors[0]}`);
}

function othersText(responses: readonly ReceivedResponse[]): string[] {
  const origins = new Set(responses.map(({ url }) => new URL(url).origin));
  const text = `of another API, at ${[...origins].join(', ')}: not judged.`;
  return countNote(responses.length, 'response', text);
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

/** Returns the fault that a difference from a schema is. @param received as text, if it is no value */
export function faultOf(
  { kind, path, expected, ...difference }: Difference,
  received = shown(difference.received),
): MockFault {
  const field = fieldText(path);
  if (kind === 'missing') return { kind, field, text: `is missing, expected ${expected}` };
  const said = kind === 'unknown' ? 'no such field' : `expected ${expected}`;
  return { kind, field, text: `${said}, received ${received}` };
}
