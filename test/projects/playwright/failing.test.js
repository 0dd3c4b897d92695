// Checks what the report of a failed test says of a refused request, and that it has the trace of the back office.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const run = spawnSync('npx', ['playwright', 'test', '--config', 'failing.config.ts'], {
  encoding: 'utf8',
});
assert.equal(run.status, 1, run.stderr);
const [suite] = JSON.parse(run.stdout).suites;
const [{ error, attachments }] = suite.specs[0].tests[0].results;
assert.match(error.message, /→ 400: .+email: sent "x", accepts an email address/);
const { body } = attachments.find(({ name }) => name === 'backlot-journal.json');
const [entry] = JSON.parse(Buffer.from(body, 'base64').toString());
const email = entry.why.refused.find(({ path }) => path[0] === 'email');
assert.equal(email.accepts, 'an email address');

const trace = attachments.find(({ name }) => name === 'backlot-trace.html');
assert.equal(trace.contentType, 'text/html');
assert.match(readFileSync(trace.path, 'utf8'), /<script type="text\/plain" id="trace">/);
