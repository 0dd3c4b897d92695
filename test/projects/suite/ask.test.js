import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/** Runs the command of a block, which finds something, and checks that it prints what the block shows. */
function check(path, env = {}) {
  const [command, ...shown] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const args = command.replace('$ npx ', '').split(' ');
  let printed;
  try {
    printed = execFileSync('npx', args, {
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', ...env },
    });
    assert.fail('it finds nothing');
  } catch (error) {
    assert.equal(error.status, 1, error.stderr);
    printed = error.stdout;
  }
  const lines = new Set(printed.split('\n').map(withoutPlaces));
  for (const line of shown)
    if (line !== '…') assert.ok(lines.has(withoutPlaces(line)), `${line}\n\n${printed}`);
}

/** Returns a line without the file of a test and the time that trials took. */
function withoutPlaces(line) {
  return line.replace(/ \(\S+\)$| in [\d.]+ s\.$/, '').trimEnd();
}

test('mutate prints what the docs show', () =>
  check('blocks/mutate-what-your-tests-do-not-notice.console'));

test('chaos prints what the docs show', () =>
  check('blocks/chaos-what-your-pages-do-not-survive.console'));

test('chaos --races prints what the docs show', () =>
  check('blocks/chaos-races.console', { CASES: 'races.cases.ts' }));

test('chaos judges the test of the docs as it says, and then by the oracle', () => {
  const run = ['backlot', 'chaos', '--out', 'grid.json', '--', 'vitest', 'run'];
  const CASES = 'blocks/chaos-what-is-right.test.ts';
  const env = { ...process.env, CASES, SETUP: './blocks/chaos-what-is-right.ts' };
  assert.equal(spawnSync('npx', run, { env }).status, 1);
  const { cells } = JSON.parse(readFileSync('grid.json', 'utf8'));
  const reasonOf = (name) => cells.find(({ fault }) => fault === name).reason;
  assert.equal(reasonOf('drop'), 'As the test expects.');
  assert.equal(reasonOf('503'), 'As the test expects.');
  assert.equal(
    reasonOf('malformed'),
    'says whom to call: the page shows no number under malformed',
  );
});

test('mutate prints what the docs show of another API', () =>
  check('blocks/mutate-another-api.console', {
    CASES: 'blocks/mutate-another-api.test.js',
    ENVIRONMENT: 'node',
  }));

test('chaos prints what the docs show of another API', () =>
  check('blocks/chaos-another-api.console', { CASES: 'blocks/chaos-another-api.test.js' }));

test('mocks prints what the docs show of the test of another API', () =>
  check('blocks/mocks-do-your-mocks-lie.console', {
    CASES: 'blocks/mutate-another-api.test.js',
    ENVIRONMENT: 'node',
  }));
