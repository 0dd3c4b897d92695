import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { startServer } from '../support/command.ts';
import { findings, traceFile } from '../support/chaos-findings.ts';
import { project } from './init.ts';

const [cell] = findings.cells;

/** A file that no server shows. */
const secret = 'root:x:0:0';

test.each([
  ['an absolute path', '/etc/passwd'],
  ['a path out of the folder', '.backlot/chaos/../../secret.html'],
  ['another folder with such a name', '.backlot/chaos-2/secret.html'],
  ['a link to a file', '.backlot/chaos/link.html'],
  ['a link to a folder', '.backlot/chaos/linked/secret.html'],
  ['a folder', '.backlot/chaos/own'],
  ['a path with a zero byte', '.backlot/chaos/a\0.html'],
])('a server shows no file that a report of chaos names by %s', async (_, trace) => {
  const folder = project({
    'secret.html': secret,
    '.backlot/chaos-2/secret.html': secret,
    '.backlot/chaos.json': JSON.stringify({ ...findings, cells: [{ ...cell, trace }] }),
  });
  mkdirSync(join(folder, '.backlot/chaos/own'), { recursive: true });
  symlinkSync('../../secret.html', join(folder, '.backlot/chaos/link.html'));
  symlinkSync('../..', join(folder, '.backlot/chaos/linked'));
  const { call } = await serverIn(folder);
  expect((await call('GET /_backlot/chaos')).body.cells).toMatchObject([{ trace }]);
  const { status, body } = await call(`GET /_backlot/chaos?trace=${encodeURIComponent(trace)}`);
  expect({ status, body }).toEqual({ status: 404, body: expect.anything() });
  expect(JSON.stringify(body)).not.toContain('root:');
});

test('a server shows a trace of chaos without the rights of its own pages', async () => {
  const folder = project({ '.backlot/chaos.json': JSON.stringify(findings) });
  mkdirSync(join(folder, '.backlot/chaos'));
  writeFileSync(join(folder, traceFile), '<!doctype html><title>A trace</title>');
  const { url } = await serverIn(folder);
  const response = await fetch(`${url}/_backlot/chaos?trace=${traceFile}`);
  expect(await response.text()).toContain('A trace');
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toMatch(/\bsandbox\b(?!.*allow-same-origin)/);
});

test('chaos says before it runs tests that its findings cannot be written', async () => {
  enter(project({ '.backlot': 'a file' }));
  using printed = vi.spyOn(console, 'error').mockReturnValue();
  expect(await run(['chaos', '--', 'vitest', 'run'])).toBe(2);
  expect(printed.mock.calls).toEqual([[expect.stringMatching(/Cannot write \.backlot\/.*: E/)]]);
});

/** Starts a server that reads the findings of a folder. */
async function serverIn(folder: string) {
  enter(folder);
  return startServer();
}

function enter(folder: string): void {
  const root = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(root));
}
