import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { changesSince } from '../../src/cli/since.ts';
import { chaosSuite } from '../../src/suite/chaos.ts';
import { mutateSuite } from '../../src/suite/mutate.ts';
import { changedEndpoints } from '../../src/suite/since.ts';
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

const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@shop.test', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });

function write(folder: string, files: Readonly<Record<string, unknown>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(
      join(folder, name),
      typeof content === 'string' ? content : JSON.stringify(content, null, 2),
    );
  }
}

function commit(folder: string): void {
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', `Change it at ${performance.now()}`);
}

/** Returns a repository with a branch at its first commit, whose package is in a folder below its root. */
function repository(): { readonly top: string; readonly shop: string } {
  const top = realpathSync(temporaryFolder());
  git(top, 'init', '--quiet', '--initial-branch', 'main');
  write(top, {
    'shop/page.ts': 'page',
    'shop/old.ts': 'a long text, by which git finds it',
    'shop/gone.ts': 'gone',
    'shop/openapi.json': document,
    'lib/total.ts': 'total',
  });
  commit(top);
  git(top, 'checkout', '--quiet', '-b', 'change');
  return { top, shop: join(top, 'shop') };
}

test('what has changed is in commits, in the working tree and in new files, in all folders of the repository', async () => {
  const { top, shop } = repository();
  write(top, { 'lib/total.ts': 'another total' });
  commit(top);
  git(top, 'checkout', '--quiet', 'main');
  write(top, { 'shop/page.ts': 'a page of main' });
  commit(top);
  git(top, 'checkout', '--quiet', 'change');
  rmSync(join(shop, 'gone.ts'));
  renameSync(join(shop, 'old.ts'), join(shop, 'new name.ts'));
  write(shop, { 'ä\n.ts': 'added' });
  const { files, endpoints } = await changesSince('main', shop, 'openapi.json');
  expect(files.toSorted()).toEqual([
    join(top, 'lib/total.ts'),
    join(shop, 'new name.ts'),
    join(shop, 'ä\n.ts'),
  ]);
  expect(endpoints).toEqual([]);
});

test('of a document that was renamed, the endpoints have changed whose own part has', async () => {
  const { top, shop } = repository();
  renameSync(join(shop, 'openapi.json'), join(shop, 'api.json'));
  write(shop, { 'api.json': { ...document, paths: { ...document.paths, '/users': { get: {} } } } });
  commit(top);
  expect((await changesSince('main', shop, 'api.json')).endpoints).toEqual(['GET /users']);
  write(shop, { 'other.json': { paths: { '/a': { get: {} } } } });
  expect((await changesSince('main', shop, 'other.json')).endpoints).toEqual(['GET /a']);
  expect((await changesSince('main', shop, 'https://shop.test/openapi.json')).endpoints).toEqual(
    [],
  );
});

test('an endpoint has changed if anything has that it refers to, and not if members have another order', () => {
  const changed = structuredClone(document);
  changed.components.schemas.Order.properties.total.type = 'string';
  expect(changedEndpoints(document, changed)).toEqual(['GET /orders/:id']);
  const { paths, ...others } = document;
  expect(
    changedEndpoints(document, {
      ...others,
      paths: { ...paths, '/users': { post: {}, get: {}, parameters: [{ name: 'page' }] } },
    }),
  ).toEqual([]);
  expect(
    changedEndpoints(document, {
      ...document,
      paths: { ...paths, '/users': { post: {}, get: {} } },
    }),
  ).toEqual(['POST /users', 'GET /users']);
  expect(changedEndpoints(undefined, { ...document, servers: [{ url: '/v1' }] })).toHaveLength(3);
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
  const { top, shop } = repository();
  write(top, { '.gitignore': '*.json\n*.html\n.backlot\n' });
  commit(top);
  git(top, 'branch', '--force', 'main');
  const words = ['--since', 'main', '--shard', '1/1', '--out', 'part.json', '--', 'vitest', 'run'];
  for (const name of ['mutate', 'chaos']) {
    const ended = await runCommandIn(shop, name, ...words);
    expect(ended).toEqual({
      code: 0,
      err: '',
      out: 'Nothing has changed since main: nothing was tried.\n',
    });
    const merged = await runCommandIn(shop, 'merge', 'part.json', '--out', 'all.html');
    expect(merged).toEqual({ code: 0, out: 'Nothing has changed: nothing was tried.\n', err: '' });
  }
  const { code, err } = await runCommandIn(shop, 'mutate', '--since', 'v9', '--', 'vitest', 'run');
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
