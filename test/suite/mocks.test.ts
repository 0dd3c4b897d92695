import { expect, test } from 'vitest';
import { ContractJudge } from '../../src/cli/contract-judge.ts';
import { storeApi } from '../../src/shop/store-api.ts';
import { DocumentJudge } from '../../src/suite/document-judge.ts';
import { judgeMocks, type MocksReport } from '../../src/suite/mocks.ts';
import { mocksReportText, mocksSummary, mockText } from '../../src/suite/mocks-text.ts';
import type { Paint } from '../../src/suite/mutate-text.ts';
import type { Recording, SuiteRunner } from '../../src/suite/suite-runner.ts';
import type { ReceivedResponse } from '../../src/suite/trials.ts';
import { documentOf } from '../support/api-document.ts';
import { runner, testRuns } from './fake-suite.ts';

const schema = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};
const ofPet = { content: { 'application/json': { schema } } };

function petsAt(...urls: readonly string[]) {
  return documentOf({
    servers: urls.map((url) => ({ url })),
    paths: {
      '/pets': {
        get: { responses: { 200: { content: { 'application/json': {} } }, '4XX': {} } },
        post: { responses: { 201: ofPet } },
      },
      '/pets/{pet}': { get: { responses: { 200: ofPet, 404: {} } } },
      '/pets/latest': { get: { responses: { 200: ofPet } } },
    },
  });
}

/** Returns a response: `GET https://pets.test/pets/7 200`, with a body. */
function response(line: string, body?: unknown): ReceivedResponse {
  const [method = '', url = '', status] = line.split(' ');
  return { method, url, status: Number(status), body: JSON.stringify(body) };
}

/** Returns a runner whose tests receive responses. */
function receiving(
  byTest: Readonly<Record<string, readonly ReceivedResponse[]>>,
  others: Partial<Recording> = {},
): SuiteRunner {
  const tests = Object.entries(byTest).map(([name, received]) =>
    testRuns({ id: name, name, received }),
  );
  return { ...runner([]), recordOnce: async () => ({ tests, errors: [], outside: {}, ...others }) };
}

function judged(
  responses: readonly ReceivedResponse[],
  document = petsAt('https://pets.test/'),
): Promise<MocksReport> {
  const suite = receiving({ one: responses });
  return judgeMocks(suite, (all) => new DocumentJudge(document, all));
}

const plain: Paint = (_, text) => text;

/** Judges a suite by the document of the pets. */
function judge(suite: SuiteRunner): Promise<MocksReport> {
  return judgeMocks(suite, (all) => new DocumentJudge(petsAt('https://pets.test'), all));
}

/** Returns the lines of the findings and of the summary, without styles. */
function linesOf(report: MocksReport): string[] {
  const findings = report.findings.map((one) => mockText(one, plain));
  return [...findings, mocksSummary(report, plain)].join('\n').split('\n');
}

test('each fault of a response is told once, with the tests that met it', async () => {
  const wrong = response('GET https://pets.test/pets/7?full=1 200', { name: 7, nick: 'R' });
  const again = response('GET https://pets.test/pets/8 200', { name: 8, nick: 'S' });
  const suite = receiving({ one: [wrong], two: [again, wrong], three: [again] });
  const report = await judge(suite);
  expect(linesOf(report)).toEqual([
    '✗ GET /pets/:pet 200 name: expected string, received 7',
    '  one (a.test.ts), and 2 more tests',
    '✗ GET /pets/:pet 200 nick: no such field, received "R"',
    '  one (a.test.ts), and 2 more tests',
    '✗ GET /pets/:pet 200 id: is missing, expected integer',
    '  one (a.test.ts), and 2 more tests',
    '3 tests, 4 responses of one kind: 3 findings.',
  ]);
  expect(report.findings.map(({ id }) => id)).toEqual([
    'GET /pets/:pet 200 name type',
    'GET /pets/:pet 200 nick unknown',
    'GET /pets/:pet 200 id missing',
  ]);
});

test('unknown paths, methods and statuses, and what is no JSON, are told', async () => {
  const report = await judged([
    response('GET https://pets.test/pets/latest 200', { id: 1 }),
    response('GET https://pets.test/pats 200', []),
    response('DELETE https://pets.test/pets/7 204'),
    response('GET https://pets.test/pets/7 202', {}),
    { ...response('POST https://pets.test/pets 201'), body: '<html>' },
  ]);
  expect(linesOf(report).filter((line) => line.startsWith('✗'))).toEqual([
    '✗ GET /pats: no such path. Did you mean /pets?',
    '✗ DELETE /pets/:pet: no such method, the path has GET',
    '✗ GET /pets/:pet 202: no such status, the document has 200, 404',
    '✗ POST /pets 201: expected JSON, received "<html>"',
  ]);
});

test('an error is judged only where the document has errors, and a status from 500 only if it has it', async () => {
  const report = await judged([
    response('POST https://pets.test/pets 422', {}),
    response('GET https://pets.test/pets/7 503', {}),
    response('GET https://pets.test/pets 418', {}),
    response('GET https://pets.test/pets/7 409', {}),
    response('GET https://pets.test/pets/7 200'),
  ]);
  expect(linesOf(report)).toEqual([
    '✗ GET /pets/:pet 409: no such status, the document has 200, 404',
    '  one (a.test.ts)',
    '1 test, 5 responses of 5 kinds: 1 finding.',
    '2 responses with an error that the document does not describe: not judged.',
    '1 response whose body no code reads: only the status was judged.',
  ]);
});

test.each([
  ['https://pets.test/v1', 'https://pets.test/v1/pets/7'],
  ['https://pets.test/v1', 'http://localhost:3000/v1/pets/7'],
  ['https://pets.test', 'http://localhost/proxy/api/pets/7'],
  ['/api/v3', 'http://localhost/api/v3/pets/7/'],
])('a document of %s describes %s', async (server, url) => {
  const report = await judged([response(`GET ${url} 200`, {})], petsAt(server));
  expect(report.findings.map(({ field, kind }) => `${field} ${kind}`)).toEqual(['id missing']);
});

test('responses of other APIs, and those without a request, are counted and not judged', async () => {
  const report = await judged([
    response('GET https://pets.test/pets/7 200', { id: 1 }),
    response('GET https://ads.test/pets/7 200', {}),
    response('GET https://ads.test/log 200', {}),
    response('GET https://ads.test/log/2 200', {}),
    response('HEAD https://pets.test/pets 200'),
    response('GET https://pets.test/pets 0'),
    { method: '', url: '', status: 0, body: '{}' },
  ]);
  expect(linesOf(report)).toEqual([
    '1 test, 1 response of one kind: 0 findings.',
    '4 responses of another API, at https://ads.test, https://pets.test: not judged.',
    '1 response without a request, of a function in place of fetch: not judged. Stub the global fetch, or mock with MSW.',
  ]);
});

test('what is received outside of tests is judged, too', async () => {
  const received = [response('GET https://pets.test/pets/7 200', {})];
  const suite = receiving(
    { one: [] },
    { outside: { 'a.test.ts': { loading: [], hooks: [], received } } },
  );
  const report = await judge(suite);
  expect(linesOf(report)[1]).toBe('  beforeAll, or the file itself (a.test.ts)');
});

test('a suite without a response that can be judged is told why', async () => {
  await expect(judge(receiving({ one: [] }))).rejects.toThrow(
    '1 test was run, and none received a response by fetch, XMLHttpRequest, node:http or undici.',
  );
  await expect(
    judge(receiving({}, { errors: ['Cannot find a module\n  at a.ts'] })),
  ).rejects.toThrow('The suite fails as it is: Cannot find a module.');
  await expect(judge(receiving({}))).rejects.toThrow('There are no tests.');
  const made = { method: '', url: '', status: 0, body: '{}' };
  await expect(judge(receiving({ one: [made] }))).rejects.toThrow(
    '1 test was run, and all of the 1 response that they received have no request.',
  );
  const other = response('GET https://shop.test/orders?page=2 200', {});
  await expect(judge(receiving({ one: [other] }))).rejects.toThrow(
    'No response is of an operation of the document. The first is of GET https://shop.test/orders; the document has GET /pets.',
  );
  const failed = { ms: 1, error: 'Expected signal\n  at a.ts', texts: undefined };
  const red = testRuns({ id: 'red', name: 'shows', attempts: [failed] });
  const recordOnce = async () => ({ tests: [red], errors: [], outside: {} });
  await expect(judge({ ...runner([]), recordOnce })).rejects.toThrow(
    "none received a response by fetch, XMLHttpRequest, node:http or undici. 1 test failed, such as 'shows' of a.test.ts: Expected signal.",
  );
  await expect(judge(runner([]))).rejects.toThrow('page.route, MSW or a server, is not seen.');
});

test('without a document, the contract of the store API judges', async () => {
  const suite = receiving({
    one: [
      response('GET https://shop.test/api/channels/1 200', { id: '1', nick: 'x' }),
      response('POST https://shop.test/api/orders/ 200', {}),
      response('GET https://shop.test/api/nowhere 200', {}),
      response('GET https://shop.test/api/channels/1 503', {}),
      response('GET https://other.test/log 200', {}),
    ],
  });
  const report = await judgeMocks(suite, () => new ContractJudge(storeApi));
  const lines = linesOf(report).filter((line) => line.startsWith('✗'));
  expect(lines).toContain('✗ GET /api/channels/:id 200 id: expected number, received "1"');
  expect(lines).toContain('✗ GET /api/channels/:id 200 nick: no such field, received "x"');
  expect(lines).toContainEqual(
    expect.stringMatching(/^✗ GET \/api\/channels\/:id 200 name: is missing/),
  );
  expect(lines).toContainEqual(
    expect.stringMatching(/^✗ POST \/api\/orders\/ 200: expected one of 201,/),
  );
  expect(lines).toContainEqual(expect.stringMatching(/nowhere 200: expected 404:/));
  expect(report.judged).toBe(4);
  const others = receiving({ one: [response('GET https://other.test/log 200', {})] });
  await expect(judgeMocks(others, () => new ContractJudge(storeApi))).rejects.toThrow(
    'No response is of the store API at /api. The first is of GET https://other.test/log. For another API, pass its document: --openapi openapi.yaml',
  );
});

test('a report is written as JSON, JUnit and a page', async () => {
  const report = await judged([
    response('GET https://pets.test/pets/7 200', { id: 1, '<b>': 2 }),
    response('POST https://pets.test/pets 201', { id: 1 }),
  ]);
  expect(JSON.parse(mocksReportText(report, 'mocks.json'))).toMatchObject({
    backlot: 'mocks',
    judged: 2,
    findings: [{ subject: 'GET /pets/:pet 200', field: '<b>', kind: 'unknown' }],
  });
  const junit = mocksReportText(report, 'mocks.xml');
  expect(junit).toContain('<testsuites tests="2" failures="1">');
  expect(junit).toContain('<testcase classname="mocks" name="POST /pets 201"/>');
  expect(junit).toContain('name="GET /pets/:pet 200 &lt;b&gt;: no such');
  expect(junit).toContain('<failure type="unknown" message="no such');
  const page = mocksReportText(report, 'mocks.html');
  expect(page).toContain('<td><code>&lt;b&gt;</code></td>');
});
