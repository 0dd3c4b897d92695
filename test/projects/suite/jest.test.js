import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const env = { ...process.env, NO_COLOR: '1' };
const withModules = { ...env, NODE_OPTIONS: '--experimental-vm-modules' };

/** Runs a command. Returns its exit code and its output. */
function run(program, args, variables) {
  return new Promise((done) => {
    execFile(program, args, { env: variables }, (error, out, err) =>
      done({ code: error?.code ?? 0, out, err }),
    );
  });
}

function backlot(args, variables = withModules) {
  return run('npx', ['backlot', ...args], variables);
}

/** Returns an output without the times, the names of files and the command that depend on the runner. */
function withoutRunner(out) {
  return out
    .replaceAll(/ in [\d.]+ s/g, '')
    .replaceAll(/page\.(jest|test)\.ts/g, 'page')
    .replaceAll(/^ {2}\.backlot\/.*\n|^One again.*\n/gm, '');
}

/** The command of the docs: `npx backlot mutate -- npx jest`, with a variable for modules. */
const documented = readFileSync('blocks/mutate-jest.console', 'utf8').trim().replace('$ ', '');

for (const command of ['mutate', 'chaos']) {
  test(`${command} finds the same with Jest as with vitest`, async () => {
    const jest = await run('sh', ['-c', documented.replace('mutate', command)], withModules);
    const vitest = await backlot([command, '--', 'vitest', 'run'], env);
    assert.equal(jest.code, 1, jest.err);
    assert.equal(withoutRunner(jest.out), withoutRunner(vitest.out));
  });
}

test('a page that survives all faults survives them with Jest', async () => {
  const { code, out, err } = await backlot(['chaos', '--', 'jest'], {
    ...withModules,
    CAREFUL: 'yes',
  });
  assert.equal(code, 0, out + err);
  assert.match(out, /2 tests, 29 cells in [\d.]+ s: 0 red, 29 green, 0 grey\./);
});

test('all kinds of tests judge the same in workers and in one process, whatever the flags, and write no snapshots', async () => {
  const snapshots = readFileSync('__snapshots__/kinds.cases.js.snap', 'utf8');
  const kinds = { ...withModules, CASES: '*.cases.js' };
  const flags = ['--coverage', '-u', '--bail', '--maxWorkers=2'];
  const report = ['--out', 'kinds.json'];
  const workers = await backlot(['mutate', ...report, '--', 'jest', ...flags], kinds);
  assert.equal(workers.code, 0, workers.err);
  assert.match(readFileSync('kinds.json', 'utf8'), /"status": "Timeout"/);
  assert.match(workers.out, /8 tests, 6 mutants in [\d.]+ s\./);
  assert.match(workers.out, /kinds\.cases\.js 'is flaky' is flaky/);
  const one = await backlot(
    ['mutate', '--', 'node', '--experimental-vm-modules', 'node_modules/.bin/jest', '--runInBand'],
    { ...env, CASES: '*.cases.js' },
  );
  assert.equal(withoutRunner(one.out), withoutRunner(workers.out), one.err);
  assert.equal(readFileSync('__snapshots__/kinds.cases.js.snap', 'utf8'), snapshots);
});

for (const [what, cases, text] of [
  [
    'a suite that fails',
    'red.jest.js',
    /No test passes as it is\. .*'one and one' fails: .* Expected: 3 Received: 2/,
  ],
  ['no test file', 'none.jest.js', /There are no tests\./],
]) {
  test(`${what} is told in one line`, async () => {
    const { code, err } = await backlot(['mutate', '--', 'jest'], { ...withModules, CASES: cases });
    assert.match(err, text);
    assert.equal(err.trim().split('\n').length, 1);
    assert.equal(code, 2);
  });
}

test('an interrupted command prints what it has found, and leaves no process', async () => {
  const main = 'node_modules/backlot/dist/cli/main.js';
  const child = spawn(process.execPath, [main, 'chaos', '--', 'jest'], { env: withModules });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    if (out === '') child.kill('SIGINT');
    out += text;
  });
  const [code] = await once(child, 'close');
  assert.match(out, /2 tests, \d+ cells in [\d.]+ s: \d+ red/);
  assert.match(out, /Left out: \d+ cells? of \d+ rows?\./);
  assert.equal(code, 1);
  const { out: processes } = await run('ps', ['-eo', 'args'], env);
  assert.ok(!processes.includes('jest-suite-runner.js'), processes);
});
