// Checks that a failed test leaves the trace of its back office, which its error names.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const { status, stdout, stderr } = spawnSync('npx', ['vitest', 'run', 'failing/'], {
  encoding: 'utf8',
  env: { ...process.env, NO_COLOR: '1' },
});
assert.equal(status, 1);
const named = `${stdout}${stderr}`.match(/Trace of the back office: (\S+)/g) ?? [];
const [trace] = readdirSync('.backlot/traces');
assert.deepEqual(readdirSync('.backlot/traces'), [trace]);
assert.match(trace, /^failing-refused-test-ts-a-user-that-is-refused-is-created-.*\.html$/);
assert.ok(named.length > 0 && named.every((line) => line.endsWith(trace)), `${stdout}${stderr}`);
assert.match(
  readFileSync(`.backlot/traces/${trace}`, 'utf8'),
  /<script type="text\/plain" id="trace">/,
);
