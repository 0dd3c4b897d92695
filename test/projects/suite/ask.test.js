import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/** Runs the command of a block, which finds something, and checks that it prints what the block shows. */
function check(path) {
  const [command, ...shown] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const args = command.replace('$ npx ', '').split(' ');
  let printed;
  try {
    printed = execFileSync('npx', args, {
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    });
    assert.fail('it finds nothing');
  } catch (error) {
    assert.equal(error.status, 1, error.stderr);
    printed = error.stdout;
  }
  const lines = new Set(printed.split('\n').map((line) => line.trimEnd()));
  for (const line of shown) if (line !== '…') assert.ok(lines.has(line), `${line}\n\n${printed}`);
}

test('mutate prints what the docs show', () =>
  check('blocks/mutate-what-your-tests-do-not-notice.console'));

test('chaos prints what the docs show', () =>
  check('blocks/chaos-what-your-pages-do-not-survive.console'));
