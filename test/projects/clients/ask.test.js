import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

function run(command, out, files = [], env = {}) {
  const args = ['backlot', command, '--out', out, '--', 'vitest', 'run', ...files];
  const { status, stderr } = spawnSync('npx', args, { env: { ...process.env, ...env } });
  assert.ok(status < 2, String(stderr));
  return JSON.parse(readFileSync(out, 'utf8'));
}

const overHttp = ['axios', 'got', 'node-fetch', 'http'];
const overUndici = ['undici.request', 'undici.fetch'];
const ofMsw = [...overHttp.map((name) => `GET /msw/${name}`), 'POST /graphql query GetTodo'];
const others = [
  ...overHttp.map((name) => `GET /nock/${name}`),
  ...overUndici.map((name) => `GET /agent/${name}`),
  ...[...overHttp, ...overUndici].map((name) => `GET /server/${name}`),
];
const withFetch = ['response of fetch.spec.js'];

/** Checks that each response of some names has mutants that a test notices, and others that none does. */
function assertJudged({ files }, names) {
  assert.deepEqual(
    Object.keys(files).toSorted(),
    names.map((name) => `${name} 200.json`).toSorted(),
  );
  for (const [name, { mutants }] of Object.entries(files)) {
    const statuses = new Set(mutants.map(({ status }) => status));
    assert.deepEqual([...statuses].toSorted(), ['Killed', 'Survived'], name);
  }
}

test('mutate sees what each client receives, by its mock or from a server', () => {
  assertJudged(run('mutate', 'mutants.json'), [...ofMsw, ...others, ...withFetch]);
});

test('mutate sees what clients receive by MSW 2', () => {
  assertJudged(run('mutate', 'mutants.json', ['http.spec.js'], { MSW: 'msw2' }), ofMsw);
});

test('chaos puts faults on the requests of each client', () => {
  const { cells } = run('chaos', 'cells.json');
  const sent = new Set(cells.map(({ endpoint }) => endpoint));
  assert.deepEqual([...sent].toSorted(), [...ofMsw, ...others].toSorted());
});
