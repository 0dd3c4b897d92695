// Checks that a failed test leaves the trace of its back office, which its error names: a page, or JSON without the command.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';

const isOf = {
  html: (text) => /<script type="text\/plain" id="trace">/.test(text),
  json: (text) => JSON.parse(text).format === 'backlot-trace',
};

for (const [config, type] of [
  ['failing/vitest.config.ts', 'html'],
  ['vitest.config.ts', 'json'],
]) {
  rmSync('.backlot', { recursive: true, force: true });
  const args = ['vitest', 'run', '--root', '.', '--config', config, 'failing/'];
  const env = { ...process.env, NO_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync('npx', args, { encoding: 'utf8', env });
  const printed = `${stdout}${stderr}`;
  assert.equal(status, 1, printed);
  const [line, file] = /Trace of the back office: (\S+)/.exec(printed) ?? [];
  assert.ok(line, printed);
  assert.match(
    file,
    new RegExp(`^\\.backlot/traces/chromium-failing-refused-test-ts-a-user-that-.*\\.${type}$`),
  );
  assert.equal(readdirSync('.backlot/traces').length, 1);
  assert.ok(isOf[type](readFileSync(file, 'utf8')));
}
