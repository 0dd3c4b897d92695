// Runs one suite with each runner, and compares what `mutate` and `chaos` print. Each has the latest MSW that works there.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import { branches, makeRepository } from './repository.ts';

const run = promisify(execFile);

const runners = {
  'vitest 5': { vitest: '5.1.0', jsdom: '31.0.1', msw: '3.0.5' },
  'vitest 4.1': { vitest: '4.1.12', jsdom: '27.4.0', msw: '3.0.5' },
  'vitest 3.2': { vitest: '3.2.4', jsdom: '26.1.0', msw: '2.15.0' },
  'Jest 30': jest('30.5.2'),
  'Jest 29': jest('29.7.0'),
};

function jest(version) {
  const environments = { 'jest-environment-jsdom': version, 'jest-fixed-jsdom': '0.0.11' };
  return { jest: version, '@jest/globals': version, ...environments, msw: '3.0.5' };
}

/** Those that are refused, and what is said then. */
const older = {
  'vitest 2.1': [
    { vitest: '2.1.9' },
    'it must be version 3.2 or later, not 2.1.9: run npm install --save-dev vitest@3.2',
  ],
  'Jest 28': [
    { jest: '28.1.3' },
    'it must be version 29 or later, not 28.1.3: run npm install --save-dev jest@29',
  ],
};

const here = import.meta.dirname;
const { dependencies } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const tarball = join(here, dependencies.backlot.replace(/^file:/, ''));

/** Copies the suite and installs a runner. Returns the folder. */
async function install(name, versions, ...flags) {
  const folder = join(here, name.replace(' ', '-'));
  cpSync(join(here, 'suite'), folder, { recursive: true });
  const devDependencies = { '@testing-library/dom': '10.4.2', ...versions };
  const manifest = { private: true, type: 'module', devDependencies };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const options = ['--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...options, ...flags, tarball], { cwd: folder });
  return folder;
}

/** Runs a command with the runner of a folder. Returns its exit code and its output. */
async function backlot(command, name, folder, flags = [], words = []) {
  const program = name.startsWith('Jest') ? ['jest'] : ['vitest', 'run'];
  const env = { ...process.env, NO_COLOR: '1', NODE_OPTIONS: '--experimental-vm-modules' };
  return run('npx', ['backlot', command, ...flags, '--', ...program, ...words], {
    cwd: folder,
    env,
  }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    ({ code, stdout, stderr }) => ({ code, out: stdout, err: stderr }),
  );
}

/**
 * Returns the sorted lines of an output without times, names of traces, the runner, and the message of a lost connection, which is of
 * MSW. When a finding is told depends on how long tests take.
 */
function linesOf(out) {
  return out
    .replaceAll(/ in [\d.]+ s/g, '')
    .replaceAll(/^ {2}\.backlot\/.*\n/gm, '')
    .replaceAll(/-- (vitest run|jest)$/gm, '')
    .replaceAll('Failed to fetch', 'fetch failed')
    .split('\n')
    .toSorted();
}

const folders = {};

before(async () => {
  for (const [name, versions] of Object.entries(runners))
    folders[name] = await install(name, versions);
});

for (const command of ['mutate', 'chaos']) {
  test(`${command} finds the same in a suite with vitest 3.2, 4.1 and 5, and Jest 29 and 30`, async () => {
    const [first, ...others] = Object.keys(runners);
    const expected = await backlot(command, first, folders[first]);
    assert.equal(expected.code, 1, expected.err);
    for (const kind of ['/api/', '/lists/:id/todos', '/msw/:id', '/object/:id', '/hooked/:id'])
      assert.ok(expected.out.includes(kind), `${kind}\n${expected.out}`);
    assert.match(expected.out, /^GET \/loaded\/:id was called when hooks\.test\.js was loaded/m);
    for (const name of others) {
      const { code, out, err } = await backlot(command, name, folders[name]);
      assert.equal(code, 1, `${name}\n${err}`);
      assert.deepEqual(linesOf(out), linesOf(expected.out), name);
    }
  });
}

/** Changes a branch, and runs `mutate --since` in its package. Returns what was tried. */
async function triedSince(name, change, ...words) {
  const top = mkdtempSync(join(here, 'repository-'));
  makeRepository(top);
  symlinkSync(join(folders[name], 'node_modules'), join(top, 'node_modules'));
  change(top);
  const app = join(top, 'packages/app');
  const flags = ['--since', 'main', '--openapi', 'openapi.json', '--out', 'a.report.json'];
  const { err } = await backlot('mutate', name, app, flags, words);
  // How far the run is is told as often as it is slow.
  assert.equal(err.replaceAll(/^backlot: mutate: .*\n/gm, ''), '', name);
  return Object.keys(JSON.parse(readFileSync(join(app, 'a.report.json'), 'utf8')).files);
}

for (const [what, { change, tried }] of Object.entries(branches)) {
  test(`on a branch that changes ${what}, each runner runs what has changed`, async () => {
    for (const name of Object.keys(runners))
      assert.deepEqual((await triedSince(name, change)).toSorted(), tried, name);
  });
}

test('of the files that a command names, those run that have changed', async () => {
  for (const name of Object.keys(runners)) {
    assert.deepEqual(await triedSince(name, branches['a component'].change, 'user.test.js'), []);
    assert.deepEqual(await triedSince(name, branches['another package'].change, 'user.test.js'), [
      'GET /users/:id 200.json',
    ]);
  }
});

for (const [name, [versions, text]] of Object.entries(older)) {
  test(`${name} is refused in one line with the command that installs another one`, async () => {
    // The package does not allow them.
    const folder = await install(name, versions, '--legacy-peer-deps');
    const { code, err } = await backlot('mutate', name, folder);
    const program = Object.keys(versions)[0];
    assert.equal(err.trim(), `backlot: Cannot start ${program}: ${text}`);
    assert.equal(code, 2);
  });
}
