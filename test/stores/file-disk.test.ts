import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { decodeFile } from '../../src/mounts/stores/session-file.ts';
import { startProgram, startProgramIn, type Program } from '../support/program.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backlot-disk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const order = { channel: 1, user: 1, currency: 'EUR' };

/** Returns how many orders a session has in its file. */
function savedOrders(name: string): number {
  const file = join(folder, `${name}.backlot-session`);
  const content = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const state = decodeFile(content)?.state ?? '';
  return state === '' ? 0 : (JSON.parse(state).office.tables.orders?.rows.length ?? 0);
}

/** Starts a program whose disk can hang. */
async function startHanging(...args: string[]) {
  const pipes = Array.from({ length: 8 }, (_, at) => join(folder, `pipe-${at}`));
  execFileSync('mkfifo', pipes);
  const hangDisk = new URL('../support/hang-disk.ts', import.meta.url);
  const program = await startProgramIn(
    { HANG_PIPES: pipes.join(':'), NODE_OPTIONS: `--import=${fileURLToPath(hangDisk)}` },
    ...args,
  );
  return {
    program,
    hang: () => program.child.kill('SIGUSR2'),
    goOn: async () => Promise.all(pipes.map(async (pipe) => writeFile(pipe, ''))),
  };
}

function postTo(program: Program, name: string) {
  return program.call('POST /api/orders/', order, { 'x-backlot-session': name });
}

/** Returns the status of a change of a session, and when to send it again. */
async function refusalOf(program: Program, name: string) {
  const { status, headers } = await postTo(program, name);
  return [status, headers['retry-after']];
}

test('a disk that hangs leads to 503 for who needs it before it goes on, and to a line when it begins and when it ends', async () => {
  const store = join(folder, 'store');
  const { program, hang, goOn } = await startHanging('--store', `file:${store}`, '--quiet');
  folder = store;
  expect((await postTo(program, 'ada')).status).toBe(201);
  await expect.poll(() => savedOrders('ada')).toBe(1);
  hang();
  await expect.poll(async () => refusalOf(program, 'bob')).toEqual([503, '1']);
  const refused = await Promise.all([refusalOf(program, 'bob'), refusalOf(program, 'eve')]);
  expect(refused).toEqual([
    [503, '1'],
    [503, '1'],
  ]);
  expect((await postTo(program, 'ada')).status).toBe(201);
  expect((await program.call('GET /_backlot/health?ready')).status).toBe(503);
  await goOn();
  await expect.poll(async () => (await postTo(program, 'bob')).status).toBe(201);
  expect((await program.call('GET /_backlot/health?ready')).status).toBe(200);
  await expect.poll(() => savedOrders('ada')).toBe(2);
  expect(program.warned()).toBe(
    `backlot: The folder ${store} does not answer. Sessions in memory go on, others have to wait.\nbacklot: The folder ${store} answers again.\n`,
  );
  hang();
  await expect
    .poll(async () => (await program.call('GET /_backlot/health?ready')).status)
    .toBe(503);
  const ended = once(program.child, 'exit');
  program.child.kill();
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(program.warned()).toMatch(
    /\nbacklot: The last changes of \d sessions could not be saved: .+\n$/,
  );
});

test(
  'with --durable, a change on a disk that hangs gets 503 before it goes on',
  { tags: 'long' },
  async () => {
    const args = ['--store', `file:${join(folder, 'store')}`, '--durable', '--quiet'];
    const { program, hang, goOn } = await startHanging(...args);
    expect((await postTo(program, 'ada')).status).toBe(201);
    hang();
    await expect.poll(async () => refusalOf(program, 'ada')).toEqual([503, '1']);
    await goOn();
    await expect.poll(async () => (await postTo(program, 'ada')).status).toBe(201);
  },
);

test(
  'a session that was killed right after its first response begins anew with a notice',
  { tags: 'long', timeout: 120_000 },
  async () => {
    const seen = new Set<string | undefined>();
    for (let round = 0; round < 4; round++) {
      const first = await startProgram('--store', `file:${folder}`, '--quiet');
      expect((await postTo(first, `s${round}`)).status).toBe(201);
      const ended = once(first.child, 'exit');
      first.child.kill('SIGKILL');
      await ended;
      const next = await startProgram('--store', `file:${folder}`, '--quiet');
      const { headers } = await postTo(next, `s${round}`);
      seen.add(headers['x-backlot-notice']?.replace(/s\d+/, 's'));
      next.child.kill();
      await once(next.child, 'exit');
    }
    // A busy machine may have saved some.
    expect(seen).toContain('Session s was reset: its server has ended before it was saved.');
    expect(seen).not.toContain(undefined);
  },
);

test('a full disk is said by the program, which goes on', { tags: 'long' }, async () => {
  const program = await startProgram('--store', `file:${folder}`, '--quiet');
  const limit = (size: string): void =>
    void execFileSync('prlimit', [`--pid=${program.child.pid}`, `--fsize=${size}:unlimited`]);
  expect((await postTo(program, 'ada')).status).toBe(201);
  await expect.poll(() => savedOrders('ada')).toBe(1);
  limit('0');
  expect((await postTo(program, 'ada')).status).toBe(201);
  expect((await postTo(program, 'bob')).status).toBe(201);
  await expect.poll(() => program.warned()).toMatch(/Cannot save a session: E\w+: [^\n]+\n$/);
  limit('unlimited');
  await expect.poll(() => program.warned()).toMatch(/again\.\n.*All sessions are saved again\.\n$/);
  expect([savedOrders('ada'), savedOrders('bob')]).toEqual([2, 1]);
});
