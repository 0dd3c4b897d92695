import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { FileStore } from '../../src/adapters/stores/file-store.ts';
import { runProgram, startProgram } from '../support/program.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backlot-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const order = { channel: 1, user: 1, currency: 'EUR' };

test('sessions, the shared back office and their snapshots outlive the process', async () => {
  const first = await startProgram('--store', `file:${folder}`, '--quiet');
  const ada = { 'x-backlot-session': 'Ada' };
  await first.call('POST /api/orders/', order);
  await first.call('POST /api/orders/', order, ada);
  await first.call('POST /_backlot/snapshot', { name: 'one' }, ada);
  await first.call('POST /api/orders/', order, ada);
  const before = await first.call('GET /_backlot/export', undefined, ada);
  first.child.kill();
  await once(first.child, 'exit');
  const second = await startProgram('--store', `file:${folder}`, '--quiet');
  expect((await second.call('GET /_backlot/export', undefined, ada)).body).toEqual(before.body);
  expect((await second.call('GET /api/orders/121')).status).toBe(200);
  expect((await second.call('GET /api/orders/122')).status).toBe(404);
  await second.call('POST /_backlot/snapshot/one/restore', undefined, ada);
  expect((await second.call('GET /api/orders/122', undefined, ada)).status).toBe(404);
  const { code, err } = await runProgram('--port', '0', '--store', `file:${folder}`);
  expect([code, err]).toEqual([
    2,
    `backlot: Process ${second.child.pid} uses the folder ${folder} already.\n`,
  ]);
});

test('a session of another version begins anew and says so', async () => {
  const saved = {
    program: 'another',
    scenario: 'default',
    opened: 0,
    saved: 0,
    office: { start: {} },
  };
  writeFileSync(join(folder, 'ada.json'), JSON.stringify(saved));
  const program = await startProgram('--store', `file:${folder}`, '--quiet', '--durable');
  const { headers } = await program.call('POST /api/orders/', order, {
    'x-backlot-session': 'ada',
  });
  expect(headers['x-backlot-notice']).toBe(
    'Session ada was reset: it was saved by another version of the server.',
  );
  const file = readFileSync(join(folder, 'ada.json'), 'utf8');
  expect(JSON.parse(file).office.tables.orders.rows).toHaveLength(1);
});

const saver = fileURLToPath(new URL('save-forever.ts', import.meta.url));

test('a process that is killed in the middle of a save leaves a whole session', async () => {
  const runs = Number(process.env['RUNS'] ?? 8);
  let last = 0;
  for (let run = 0; run < runs; run++) {
    const child = spawn(process.execPath, [saver, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
    let printed = String(chunk);
    child.stdout.on('data', (text: Buffer) => (printed += String(text)));
    await new Promise((resolve) => {
      setTimeout(resolve, Math.random() * 10);
    });
    child.kill('SIGKILL');
    await once(child, 'close');
    const store = new FileStore(folder, { idle: 1e9 });
    const claim = await store.claim('ada', 'existing');
    await store.close();
    const state = claim.status === 'mine' ? (claim.state ?? '') : '';
    const { count, filler } = JSON.parse(state) as { count: number; filler: string };
    expect(filler).toHaveLength(100_000);
    // A save that is acknowledged is there.
    last = Number(printed.trim().split('\n').at(-1));
    expect(count).toBeGreaterThanOrEqual(last);
  }
  expect(last).toBeGreaterThan(0);
});

test('the files of sessions that were not used for too long are deleted', async () => {
  for (const name of ['old.json', 'new.json', 'half.json.tmp'])
    writeFileSync(join(folder, name), '{}');
  utimesSync(join(folder, 'old.json'), 1000, 1000);
  const store = new FileStore(folder, { idle: 60_000 });
  expect(readdirSync(folder).toSorted()).toEqual(['new.json', 'owner.pid']);
  await store.close();
});
