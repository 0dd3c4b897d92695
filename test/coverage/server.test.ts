import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { CoverageReport } from '../../src/engine/coverage/report.ts';
import { runCommand, startServer } from '../support/command.ts';

const zones = 'statuses: GET /api/zones/ 200';
const unknownZone = 'statuses: GET /api/zones/:zone_id 404';

test('a server counts all sessions, and each of them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-counted-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'reports', 'server.json');
  const { url, stop } = await startServer('--quiet', '--coverage', file);
  const get = (path: string, session?: string): Promise<Response> =>
    fetch(`${url}${path}`, {
      headers: session === undefined ? {} : { 'x-backlot-session': session },
    });
  const reportOf = async (query = ''): Promise<CoverageReport> =>
    (await (await get(`/_backlot/coverage${query}`)).json()) as CoverageReport;

  await get('/api/zones/');
  await get('/api/zones/', 'ada');
  await get('/api/zones/999', 'ada');
  await get('/api/zones/', 'bob');
  // A session that is opened again goes on counting.
  await fetch(`${url}/_backlot/sessions/ada`, { method: 'DELETE' });
  await get('/api/zones/', 'ada');

  const all = await reportOf();
  expect(all.requests).toBe(5);
  expect(all.counts.items).toMatchObject({ [zones]: 4, [unknownZone]: 1 });
  expect(await reportOf('?session=ada')).toEqual({
    backlot: 'coverage',
    version: 1,
    requests: 3,
    counts: {
      requests: 3,
      items: { [zones]: 2, [unknownZone]: 1 },
      unmatched: {},
      parameters: {},
      extensions: {},
      documented: {},
    },
  });
  expect((await reportOf('?session=bob')).counts.items).toEqual({ [zones]: 1 });
  expect((await reportOf('?session=nobody')).requests).toBe(0);

  await stop();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(all);
});

test('a server without --coverage says how to count', async () => {
  // Set by the reporter if this suite counts itself.
  vi.stubEnv('BACKLOT_COVERAGE', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { url } = await startServer('--quiet');
  const response = await fetch(`${url}/_backlot/coverage?session=ada`);
  expect(await response.json()).toEqual({
    enabled: false,
    help: 'Start the server with --coverage <file>.',
  });
});

test.each([
  [['coverage', '--help'], 0, '', 'Usage: backlot coverage merge'],
  [
    ['coverage', 'merge', 'a.json', '--out', 'package.json/all.json'],
    2,
    'Cannot write package.json/all.json: E',
    '',
  ],
  [['--coverage', 'src', '--port', '0'], 2, 'Cannot write src: it is a folder.', ''],
  [['--coverage', 'package.json/all.json'], 2, 'Cannot write package.json/all.json: E', ''],
  [['coverage', 'merge', 'a.json', '--nope'], 2, "Unknown option '--nope'.", ''],
  [
    ['coverage', 'merge', 'a.json', '--out', 'all.txt'],
    2,
    "--out must be a name that ends in .json or .xml, not 'all.txt'.",
    '',
  ],
])('%j ends with exit code %i', async (args, code, err, out) => {
  const run = await runCommand(...args);
  expect(run.code).toBe(code);
  expect(run.err).toContain(err);
  expect(run.out).toContain(out);
});
