import { expect, test } from 'vitest';
import { endpointNames } from '../../src/suite/endpoint-names.ts';
import { siblingPaths, withPaths } from '../../src/suite/sibling-paths.ts';
import type { TestRuns } from '../../src/suite/suite-runner.ts';
import { quiet, read, testRuns } from './fake-suite.ts';

const article = { slug: 'foo', title: 'Foo', author: { name: 'Ada' } };
const list = { items: [{ id: 1, total: 9 }], total: 1 };

/** Returns a test that receives one response of each endpoint. */
function receiving(bodies: Readonly<Record<string, object>>): TestRuns {
  const calls = Object.keys(bodies);
  const subjects = Object.entries(bodies).map(([name, body]) => read(`${name} 200`, { ...body }));
  return testRuns({ subjects, plain: { ...quiet, calls, outside: calls, read: calls } });
}

test('paths of records with one-word names are one endpoint if their responses have the same keys', () => {
  const tests = [
    receiving({ 'GET /api/articles/foo': article, 'GET /api/articles/feed': list }),
    receiving({ 'GET /api/articles/:id': article, 'DELETE /api/articles/bar': {} }),
  ];
  const paths = siblingPaths(tests);
  expect(paths).toEqual(['/api/articles/:id', '/api/articles/feed', '/api/articles/bar']);
  const renamed = withPaths(tests, paths);
  expect(renamed[0]!.plain?.calls).toEqual(['GET /api/articles/:id', 'GET /api/articles/feed']);
  expect(renamed[0]!.subjects.map(({ subject }) => subject)).toEqual([
    'GET /api/articles/:id 200',
    'GET /api/articles/feed 200',
  ]);
  const nameOf = endpointNames(paths);
  expect(nameOf('GET', '/api/articles/foo')).toBe('GET /api/articles/:id');
  expect(nameOf('GET', '/api/articles/feed')).toBe('GET /api/articles/feed');
});

test('two names of records are enough, also in the middle of a path', () => {
  const follow = { username: 'ada', following: true };
  const tests = [
    receiving({ 'PUT /profiles/ada/follow': follow, 'PUT /profiles/bob/follow': follow }),
  ];
  expect(siblingPaths(tests)).toEqual(['/profiles/:id/follow']);
});

test.each([
  ['lists', { 'GET /api/users': list, 'GET /api/orders': list }],
  ['lists of a record', { 'GET /shops/users': list, 'GET /shops/orders': list }],
  ['responses with other keys', { 'GET /users/ada': article, 'GET /users/stats': list }],
  ['steps of a record', { 'PUT /orders/:id/ship': article, 'PUT /orders/:id/pay': article }],
  ['actions', { 'POST /users/login': article, 'POST /users/register': article }],
  ['the visitor beside a user', { 'GET /users/me': article, 'GET /users/:id': article }],
  [
    'bodies as any',
    { 'PUT /settings/a': { data: null, error: 1 }, 'PUT /settings/b': { data: null, error: 2 } },
  ],
])('%s stay endpoints of their own', (_, bodies) => {
  expect(siblingPaths([receiving(bodies)])).toEqual([]);
});

test('known paths, and those of a back office of Backlot, keep their names', () => {
  const tests = [receiving({ 'GET /articles/foo': article, 'GET /articles/bar': article })];
  expect(siblingPaths(tests, ['/articles/foo'])).toEqual([]);
  const [one] = tests;
  expect(siblingPaths([{ ...one!, plain: { ...one!.plain!, outside: [] } }])).toEqual([]);
});
