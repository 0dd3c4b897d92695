// Checks that the installed package finds what the tests do not notice, and what the page does not survive.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

function findings(...words) {
  const args = ['backlot', ...words, '--', 'playwright', 'test'];
  const { status, stdout, stderr } = spawnSync('npx', args, {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  assert.equal(status, 1, stderr);
  return stdout;
}

test('mutate finds a field that no test asserts', () => {
  const only = 'GET /api/orders/:order_id 200 state: "cart" → "pending"';
  assert.match(
    findings('mutate', '--only', only),
    /✗ GET \/api\/orders\/:order_id\/ 200 state: "cart" → "pending"/,
  );
});

test('chaos finds a failure that a page does not survive', () => {
  const printed = findings(
    'chaos',
    '--test',
    'a payment',
    '--only',
    'PUT',
    '--fault',
    'drop after',
  );
  assert.match(printed, /checkout_state is "payment", not "shipping"/);
  assert.match(printed, /1 cells in [\d.]+ s: 1 red/);
});
