import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, introspectionFromSchema } from 'graphql';
import { expect, test } from 'vitest';
import { mapValues } from '../../src/engine/lib/json-value.ts';
import type { Ended } from '../support/program.ts';
import { sample } from '../support/runs.ts';
import { findingsIn, openSuite, suite } from '../support/suite.ts';

const opened = openSuite();

/** Runs a command for a suite that has no back office of Backlot. */
function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return opened.run([...args, ...suite], { CASES: 'todos.cases.ts', ...env });
}

const places = [
  { CLIENT: 'axios', ENVIRONMENT: 'jsdom', MSW: 'msw' },
  { CLIENT: 'fetch', ENVIRONMENT: 'jsdom', MSW: 'msw2' },
  { CLIENT: 'fetch', ENVIRONMENT: 'happy-dom', MSW: 'msw2' },
  { CLIENT: 'axios', ENVIRONMENT: 'happy-dom', MSW: 'msw' },
];

test.each(sample(places, 1))('chaos finds what a page with %o does not survive', async (env) => {
  const ended = await run(['chaos', '--fault', 'drop', '--fault', 'malformed'], env);
  expect(ended.code, ended.err).toBe(1);
  expect(findingsIn(ended)).toContainEqual(
    expect.stringMatching(
      /^✗ GET \/api\/lists\/:id\/todos under drop, malformed: The page is empty\./,
    ),
  );
  expect(ended.out).toContain(
    '✗ POST /api/lists/:id/todos under drop: The page says nothing: it still shows “Add”.',
  );
  expect(ended.out).toContain('1 test, 6 cells');
});

test.each(['fetch', 'axios'])(
  'a page with %s that tells its user survives all faults',
  { tags: 'long' },
  async (client) => {
    const ended = await run(['chaos'], { CAREFUL: 'yes', CLIENT: client });
    expect(ended.code, ended.out + ended.err).toBe(0);
    expect(ended.out).toMatch(/1 test, 22 cells in [\d.]+ s: 0 red, 22 green, 0 grey\./);
  },
);

test('files are left out that the configuration or the command excludes', async () => {
  const env = { CASES: '{todos,stubs}.cases.ts', EXCLUDED: 'stubs.cases.ts' };
  const words = [...suite, '--exclude', 'todos.cases.ts'];
  const { code, err } = await opened.run(['chaos', ...words], env);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('There are no tests.') });
});

interface MutantsReport {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { status: string }[] }>>;
}

interface Grid {
  readonly cells: readonly { readonly endpoint: string }[];
}

/** Returns the initials of the statuses of mutants, by their responses. */
function statusesIn(file: string): Readonly<Record<string, string>> {
  const report = readFileSync(join(opened.shop, file), 'utf8');
  const { files } = JSON.parse(report) as MutantsReport;
  return mapValues(files, ({ mutants }) => {
    const initials = mutants.map(({ status }) => status.slice(0, 1));
    return initials.toSorted((one, other) => (one < other ? -1 : 1)).join('');
  });
}

test.each(sample(['fetch', 'axios'], 1))(
  'mutate finds the field that no test of a page with %s asserts, by the names of a document, and what stubs of a test and a server respond with',
  async (client) => {
    const env = { CASES: '{todos,stubs}.cases.ts', CLIENT: client };
    const args = ['--openapi', 'openapi.json', '--out', 'mutants.json'];
    const ended = await run(['mutate', ...args], env);
    expect(ended.code, ended.err).toBe(1);
    const found = findingsIn(ended);
    expect(found.filter((line) => line.includes('/api/'))).toEqual([
      '✗ GET /api/lists/:list/todos 200 [].priority: "high" → "hig (wrong)"',
    ]);
    const statuses = statusesIn('mutants.json');
    for (const name of ['spy', 'assigned', 'object', 'server']) {
      expect(found).toContain(`✗ GET /${name}/:id 200 done: false → true`);
      expect(statuses[`GET /${name}/:id 200.json`]).toBe('KKKSS');
    }
  },
);

test('mutate sees what clients of Node.js, a client with its own fetch and operations of GraphQL receive', async () => {
  const env = { CASES: 'clients.spec.ts', ENVIRONMENT: 'node' };
  const ended = await run(['mutate', '--out', 'clients.json'], env);
  expect(ended.code, ended.err).toBe(1);
  // How many depends on the rounds, each of which loads the module once more.
  expect(ended.out).toMatch(
    /Not applied, because no test received the wrong response: [1-4] mutant/,
  );
  expect(statusesIn('clients.json')).toEqual({
    'GET /axios/:id 200.json': 'KKKSS',
    'GET /http/:id 200.json': 'KKKSS',
    'GET /undici/:id 200.json': 'KKKSS',
    'response of clients.spec.ts 200.json': 'KKKSS',
    'POST /graphql query GetTodo 200.json': 'KKKKKKSSSSSS',
    'POST /graphql query First 200.json': 'KKKSSSSS',
    'POST /graphql query Second 200.json': 'KKKSSSSS',
    'GET /known/:id 200.json': expect.stringMatching(/^K+N+S*$/),
  });
  expect(findingsIn(ended)).toContain(
    '✗ POST /graphql query GetTodo 200 errors, and data.list: null',
  );
});

test('chaos sees the requests of clients of Node.js', async () => {
  const env = { CASES: 'clients.spec.ts', ENVIRONMENT: 'node' };
  const ended = await run(
    ['chaos', '--fault', 'drop', '--fault', '503', '--out', 'cells.json'],
    env,
  );
  const { cells } = JSON.parse(readFileSync(join(opened.shop, 'cells.json'), 'utf8')) as Grid;
  expect([...new Set(cells.map(({ endpoint }) => endpoint))].toSorted(), ended.err).toEqual([
    'GET /axios/:id',
    'GET /http/:id',
    'GET /known/:id',
    'GET /undici/:id',
    'POST /graphql query First, query Second',
    'POST /graphql query GetTodo',
  ]);
});

test('a project of vitest with a configuration of its own is run, which is told that it is one of vitest', async () => {
  const projects = "export default { test: { projects: ['vitest.part.config.js'] } };";
  const part = `import config from './vitest.config.js';
if (!process.env.VITEST) throw new Error('not vitest');
export default config;`;
  writeFileSync(join(opened.shop, 'vitest.whole.config.js'), projects);
  writeFileSync(join(opened.shop, 'vitest.part.config.js'), part);
  const words = ['mutate', ...suite, '--config', 'vitest.whole.config.js'];
  const ended = await opened.run(words, { CASES: 'clients.spec.ts', VITEST: '' });
  expect(ended.out, ended.err).toContain('noticed of');
});

test('mocks judges what handlers of MSW respond by a document of YAML, and its baseline knows what was found', async () => {
  const args = ['mocks', '--openapi', 'openapi.yaml', '--baseline', 'mocks.json'];
  const first = await run(args);
  expect(findingsIn(first), first.err).toEqual([
    '✗ GET /api/lists/:list/todos 200 [].priority: expected one of "urgent", "low", received "high"',
    '✗ GET /api/lists/:list/todos 200 [].due: is missing, expected string',
    '✗ POST /api/lists/:list/todos 201: no such status, the document has 200',
  ]);
  expect(first.out).toContain('  todos are shown, and one can be added (todos.cases.ts)');
  expect(first.out).toMatch(/^1 test, \d+ responses of 2 kinds: 3 findings\.$/m);
  const second = await run(args);
  expect({ code: second.code, found: findingsIn(second) }).toEqual({ code: 0, found: [] });
});

test('mocks judges operations of GraphQL by a schema, or by the JSON of an introspection', async () => {
  const todo = 'type Todo { title: Int! done: Boolean }';
  const schema = `type Query { list: List todo(id: ID): Todo } type List { name: ID! } ${todo}`;
  const introspection = JSON.stringify({ data: introspectionFromSchema(buildSchema(schema)) });
  for (const [name, text] of Object.entries({ 'a.graphql': schema, 'a.json': introspection })) {
    writeFileSync(join(opened.shop, name), text);
    const words = ['mocks', '--graphql', name, ...suite];
    const { out, err, code } = await opened.run(words, { CASES: 'clients.spec.ts' });
    expect(findingsIn({ out, err, code }), err).toEqual([
      '✗ POST /graphql query GetTodo 200 data.todo.title: expected Int, received "Work"',
      '✗ POST /graphql query First, query Second 200 [].data.todo.title: expected Int, received "Work"',
      '✗ POST /graphql query First, query Second 200 [].data.list: no such field, received {"name":"Today"}',
    ]);
    expect(code).toBe(1);
  }
});
