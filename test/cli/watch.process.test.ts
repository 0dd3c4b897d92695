import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runProgram, startProgram, type Program } from '../support/program.ts';

const scenario = { name: 'own', description: 'A scenario of the test', extends: 'empty' };
const locales = JSON.parse(
  readFileSync(new URL('../../fixtures/locales.json', import.meta.url), 'utf8'),
) as { code: string }[];

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'backlot-watch-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

function write(file: string, value: object): void {
  writeFileSync(file, JSON.stringify(value));
}

async function openedNow({ call }: Program): Promise<string> {
  return (await call('GET /_backlot/health')).body.now;
}

test('--watch opens a changed scenario anew, and a wrong one leaves the former', async () => {
  const file = join(folder(), 'own.json');
  write(file, { ...scenario, now: '2030-01-01T00:00:00+0000' });
  const program = await startProgram('--watch', '--quiet', '--scenario', file);
  const { call } = program;
  await call('POST /s/ada/api/orders/', {});
  write(file, { ...scenario, now: '2031-01-01T00:00:00+0000' });
  await expect.poll(() => openedNow(program)).toBe('2031-01-01T00:00:00+0000');
  expect((await call('GET /s/ada/api/orders/')).headers['x-backlot-notice']).toContain('changed');
  write(file, { ...scenario, now: 'tomorrow' });
  await expect.poll(() => program.warned()).toContain('The former scenario stays.');
  expect(program.warned()).toContain('now: expected a time like');
  expect(await openedNow(program)).toBe('2031-01-01T00:00:00+0000');
  write(`${file}.new`, { ...scenario, now: '2032-01-01T00:00:00+0000' });
  renameSync(`${file}.new`, file);
  await expect.poll(() => openedNow(program)).toBe('2032-01-01T00:00:00+0000');
  expect(program.printed()).toMatch(
    /Opened the scenario own anew in \d+ ms\. 1 session has ended: the next request of each begins it anew\.\n/,
  );
});

test('--watch follows the files that a scenario extends and reads, and ignores others', async () => {
  const path = folder();
  const records = join(path, 'locales.json');
  write(records, locales);
  write(join(path, 'base.json'), { ...scenario, data: { locales: 'locales.json' } });
  write(join(path, 'own.json'), { ...scenario, extends: 'base.json' });
  const program = await startProgram('--watch', '--quiet', '--scenario', join(path, 'own.json'));
  write(join(path, 'other.json'), {});
  write(join(path, 'base.json'), {
    ...scenario,
    now: '2031-01-01T00:00:00+0000',
    data: { locales: 'locales.json' },
  });
  await expect.poll(() => openedNow(program)).toBe('2031-01-01T00:00:00+0000');
  write(records, [{ ...locales[0], code: 'gd_IE' }, ...locales.slice(1)]);
  await expect
    .poll(async () => JSON.stringify((await program.call('GET /_backlot/export')).body))
    .toContain('gd_IE');
  expect(program.printed().match(/anew/g)).toHaveLength(2);
});

test('--watch opens a changed scenario in TypeScript anew, and the TypeScript that it extends', async () => {
  const path = folder();
  const writeModule = (name: string, content: object): void =>
    writeFileSync(
      join(path, name),
      `interface Own { name: string }\nexport default ${JSON.stringify(content)} satisfies Own;\n`,
    );
  writeModule('base.ts', { ...scenario, now: '2030-01-01T00:00:00+0000' });
  writeModule('own.ts', { name: 'own', description: '', extends: './base.ts' });
  const program = await startProgram('--watch', '--quiet', '--scenario', join(path, 'own.ts'));
  expect(await openedNow(program)).toBe('2030-01-01T00:00:00+0000');
  writeModule('base.ts', { ...scenario, now: '2031-01-01T00:00:00+0000' });
  await expect.poll(() => openedNow(program)).toBe('2031-01-01T00:00:00+0000');
  writeFileSync(join(path, 'own.ts'), 'export default { name: ');
  await expect.poll(() => program.warned()).toContain('The former scenario stays. Cannot read');
  writeModule('own.ts', { ...scenario, now: '2032-01-01T00:00:00+0000' });
  await expect.poll(() => openedNow(program)).toBe('2032-01-01T00:00:00+0000');
  expect(program.printed()).toMatch(/scenario own anew in \d+ ms\. No session was open\.\n/);
});

test.each([
  ['bug.ts', 'export const bug = {};', [], 'must export a scenario as its default: export default'],
  [
    'bug.ts',
    'export default {};',
    ['--no-strip-types'],
    `scenarios in TypeScript require Node.js 22.18 or later, and this is ${process.version}.`,
  ],
  ['bug.mjs', "import 'not-installed';", [], "Cannot find package 'not-installed'"],
])('a scenario %s with %s and %o is rejected in one line', async (name, content, flags, reason) => {
  const file = join(folder(), name);
  writeFileSync(file, content);
  vi.stubEnv('NODE_OPTIONS', flags.join(' '));
  onTestFinished(() => void vi.unstubAllEnvs());
  const { code, err } = await runProgram('--scenario', file);
  expect(code).toBe(2);
  expect(err).toContain(reason);
  expect(err.trim().split('\n')).toHaveLength(1);
});
