import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const { bin, exports } = JSON.parse(readFileSync('node_modules/backlot/package.json', 'utf8'));
const sentence = /backlot requires Node\.js 22\.12 or later, not 20\.20\.2\./;
const documented = readFileSync('blocks/errors-old-node.console', 'utf8').split('\n')[1];
// Pages and other runtimes than Node.js load these.
const elsewhere = [
  './browser',
  './client',
  './devtools',
  './package.json',
  './session',
  './storybook',
  './suite',
  './testing',
];
const entries = Object.keys(exports).filter((entry) => !elsewhere.includes(entry));

/** Runs Node 20 and returns the first line of an error. */
function run(...args) {
  const { status, stderr } = spawnSync('node_modules/node-20/bin/node', args, { encoding: 'utf8' });
  return { status, error: stderr.split('\n').find((line) => /^\w*(Error|backlot)\b/.test(line)) };
}

for (const entry of entries) {
  test(`${entry.replace('.', 'backlot')} says which Node.js it requires`, () => {
    const { status, error } = run(
      '--input-type=module',
      '--eval',
      `import '${entry.replace('.', 'backlot')}'`,
    );
    assert.match(error, sentence);
    assert.equal(status, 1);
  });
}

test('the program says which Node.js it requires', () => {
  const { status, error } = run(`node_modules/backlot/${bin.backlot}`);
  assert.match(error, sentence);
  assert.ok(error.startsWith(documented), documented);
  assert.equal(status, 2);
});
