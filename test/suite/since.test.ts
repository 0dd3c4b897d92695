import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changesSince } from '../../src/cli/since.ts';
import type { DocumentFiles } from '../../src/suite/api-document.ts';
import { chaosSuite } from '../../src/suite/chaos.ts';
import { mutateSuite } from '../../src/suite/mutate.ts';
import { changedEndpoints } from '../../src/suite/since.ts';
import { commit, git, makeRepository, write } from '../projects/suite-runners/repository.ts';
import { runCommandIn } from '../support/command.ts';
import { options, quiet, read, runner, testRuns } from './fake-suite.ts';
import { temporaryFolder } from '../support/suite.ts';

const document = {
  openapi: '3.1.0',
  paths: {
    '/orders/{id}': { get: { responses: { 200: { $ref: '#/components/responses/Order' } } } },
    '/users': { parameters: [{ name: 'page' }], get: {}, post: {} },
  },
  components: {
    responses: { Order: { schema: { $ref: '#/components/schemas/Order' } } },
    schemas: {
      Order: {
        properties: { total: { type: 'integer' }, next: { $ref: '#/components/schemas/Order' } },
      },
    },
  },
};

/** Returns a document that refers to no other file. */
function only(content: unknown): DocumentFiles {
  return new Map([['file:///openapi.json', content]]);
}

/** Returns a repository with a branch at its first commit, and its package. */
function repository(): { readonly top: string; readonly app: string } {
  const top = realpathSync(temporaryFolder());
  makeRepository(top);
  return { top, app: join(top, 'packages/app') };
}

test('what has changed is in commits, in the working tree and in new files, in all folders of the repository', async () => {
  const { top, app } = repository();
  write(top, { 'packages/lib/lines.js': 'another' });
  commit(top);
  git(top, 'checkout', '--quiet', 'main');
  write(app, { 'todo.js': 'a page of main' });
  commit(top);
  git(top, 'checkout', '--quiet', 'change');
  rmSync(join(app, 'todo.test.js'));
  renameSync(join(app, 'user.js'), join(app, 'new name.js'));
  write(app, { 'ä\n.ts': 'added' });
  const { files, endpoints } = await changesSince('main', app, 'openapi.json');
  expect(files.toSorted()).toEqual([
    join(app, 'new name.js'),
    join(app, 'ä\n.ts'),
    join(top, 'packages/lib/lines.js'),
  ]);
  expect(endpoints).toEqual([]);
});

test('of a document that was renamed, the endpoints have changed whose own part has', async () => {
  const { top, app } = repository();
  mkdirSync(join(app, 'api'));
  for (const name of ['openapi.json', 'todo.json', 'user.json'])
    renameSync(join(app, name), join(app, 'api', name));
  commit(top);
  const source = 'api/openapi.json';
  expect((await changesSince('main', app, source)).endpoints).toEqual([]);
  const text = readFileSync(join(app, source), 'utf8');
  write(app, { [source]: text.replace('user.json#/named', 'user.json#/other') });
  expect((await changesSince('main', app, source)).endpoints).toEqual(['GET /users/:id']);
  write(app, { 'other.json': '{"paths":{"/a":{"get":{}}}}' });
  expect((await changesSince('main', app, 'other.json')).endpoints).toEqual(['GET /a']);
});

test('a document in several files has changed where one of them has', async () => {
  const { app } = repository();
  write(app, { 'todo.json': '{"type":"object","required":["title"]}' });
  expect((await changesSince('main', app, 'openapi.json')).endpoints).toEqual(['GET /todos/:id']);
  const paths = { '/users': { $ref: 'users.json' }, '/zones': { $ref: 'users.json#/none' } };
  write(app, {
    'openapi.json': JSON.stringify({ paths }),
    'users.json': '{"get":{},"parameters":[{"$ref":"todo.json"}]}',
  });
  expect((await changesSince('main', app, 'openapi.json')).endpoints).toEqual(['GET /users']);
});

test('a document at a URL, and one that git ignores, have no older version', async () => {
  const { app } = repository();
  write(app, { 'a.report.json': '{"paths":{"/users":{"get":{}}}}' });
  for (const source of ['https://shop.test/openapi.json', 'a.report.json'])
    expect((await changesSince('main', app, source)).endpoints).toEqual([]);
});

test('an endpoint has changed if anything has that it refers to, and not if members have another order', () => {
  const changed = structuredClone(document);
  changed.components.schemas.Order.properties.total.type = 'string';
  expect(changedEndpoints(only(document), only(changed))).toEqual(['GET /orders/:id']);
  const { paths, ...others } = document;
  const changedBy = (users: unknown): string[] =>
    changedEndpoints(only(document), only({ ...others, paths: { ...paths, '/users': users } }));
  expect(changedBy({ post: {}, get: {}, parameters: [{ name: 'page' }] })).toEqual([]);
  expect(changedBy({ post: {}, get: {} })).toEqual(['POST /users', 'GET /users']);
  const moved = only({ ...document, servers: [{ url: '/v1' }] });
  expect(changedEndpoints(undefined, moved)).toHaveLength(3);
});

test('a ref that is not there, or has nothing in common, is an error with its fix', async () => {
  const { top } = repository();
  const folder = temporaryFolder();
  await expect(changesSince('main', folder)).rejects.toThrow(
    '--since requires a repository of Git',
  );
  await expect(changesSince('origin/main', top)).rejects.toThrow(
    `'origin/main' is not in this clone. In GitHub Actions, actions/checkout fetches it with fetch-depth: 0.`,
  );
  await expect(changesSince('--output=file', top)).rejects.toThrow(
    `--since must be a branch or a commit, not '--output=file'.`,
  );
  git(top, 'checkout', '--quiet', '--orphan', 'lone');
  commit(top);
  await expect(changesSince('main', top)).rejects.toThrow('fetch-depth: 0');
});

test('without a change, commands try nothing, write their reports, and end with 0', async () => {
  const { app } = repository();
  const words = [
    '--since',
    'main',
    '--shard',
    '1/1',
    '--out',
    'a.report.json',
    '--',
    'vitest',
    'run',
  ];
  for (const name of ['mutate', 'chaos']) {
    const ended = await runCommandIn(app, name, ...words);
    expect(ended).toEqual({
      code: 0,
      err: '',
      out: 'Nothing has changed since main: nothing was tried.\n',
    });
    const merged = await runCommandIn(app, 'merge', 'a.report.json', '--out', 'all.report.html');
    expect(merged).toEqual({ code: 0, out: 'Nothing has changed: nothing was tried.\n', err: '' });
  }
  const { code, err } = await runCommandIn(app, 'mutate', '--since', 'v9', '--', 'vitest', 'run');
  expect({ code, lines: err.trim().split('\n') }).toEqual({
    code: 2,
    lines: [expect.stringContaining('fetch-depth: 0')],
  });
});

const tests = ['a', 'b'].map((id) =>
  testRuns({
    id,
    file: `${id}.test.ts`,
    subjects: [read(`GET /${id} 200`, { done: true }), read('GET /users/ 200', { done: true })],
    plain: { ...quiet, calls: [`GET /${id}`, 'GET /users/'], statuses: [200, 200] },
  }),
);

test.each([
  [{ files: ['a.test.ts'], endpoints: [] }, ['GET /a', 'GET /users/']],
  [{ files: [], endpoints: ['GET /users'] }, ['GET /users/']],
  [{ files: ['a.test.ts'], endpoints: ['GET /b'] }, ['GET /a', 'GET /b', 'GET /users/']],
])('of %o, only what has changed is tried', async (scope, endpoints) => {
  const recorded: unknown[] = [];
  const suite = {
    ...runner(tests),
    record: async (files?: readonly string[]) => {
      recorded.push(files);
      return { tests: tests.filter(({ file }) => files?.includes(file) ?? true), errors: [] };
    },
  };
  const { subjects, results } = await mutateSuite(suite, { ...options, scope });
  expect(subjects.length).toBeGreaterThan(1);
  expect(
    [...new Set(results.map(({ subject }) => subject.replace(' 200', '')))].toSorted(),
  ).toEqual(endpoints);
  const cells = await chaosSuite(suite, { ...options, scope });
  const called = cells.results.map((cell) => ('endpoint' in cell ? cell.endpoint : ''));
  expect([...new Set(called)].toSorted()).toEqual(endpoints);
  const isLimited = scope.endpoints.length === 0;
  expect(recorded).toEqual(isLimited ? [scope.files, scope.files] : [undefined, undefined]);
});
