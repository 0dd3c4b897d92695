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
  const text = decodeFile(content);
  return text === undefined ? 0 : JSON.parse(text).office.tables.orders.rows.length;
}

/** Starts a program whose disk can hang. */
async function startHanging(...args: string[]) {
  const pipes = Array.from({ length: 8 }, (_, at) => join(folder, `pipe-${at}`));
  execFileSync('mkfifo', pipes);
  const hangDisk = new URL('./hang-disk.ts', import.meta.url);
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

test('while a disk hangs, changes get 503, and the terminal says when it begins and when it ends', async () => {
  const store = join(folder, 'store');
  const { program, hang, goOn } = await startHanging('--store', `file:${store}`, '--quiet');
  folder = store;
  expect((await postTo(program, 'ada')).status).toBe(201);
  expect(savedOrders('ada')).toBe(1);
  hang();
  await expect.poll(async () => refusalOf(program, 'bob')).toEqual([503, '1']);
  const refused = await Promise.all(['ada', 'bob'].map(async (one) => refusalOf(program, one)));
  expect(refused).toEqual(refused.map(() => [503, '1']));
  expect((await program.call('GET /_backlot/health?ready')).status).toBe(503);
  await goOn();
  await expect.poll(async () => (await postTo(program, 'bob')).status).toBe(201);
  expect((await program.call('GET /_backlot/health?ready')).status).toBe(200);
  expect((await postTo(program, 'ada')).status).toBe(201);
  expect(program.warned()).toBe(
    `backlot: The folder ${store} does not answer. Until it does, requests get status 503.\nbacklot: The folder ${store} answers again.\n`,
  );
  hang();
  await expect.poll(async () => refusalOf(program, 'ada')).toEqual([503, '1']);
  const ended = once(program.child, 'exit');
  program.child.kill();
  expect(await ended).toEqual([null, 'SIGKILL']);
});

test('while a disk is full, changes get 503 and are not made, and reads go on', async () => {
  const program = await startProgram('--store', `file:${folder}`, '--quiet');
  const limit = (size: string): void =>
    void execFileSync('prlimit', [`--pid=${program.child.pid}`, `--fsize=${size}:unlimited`]);
  expect((await postTo(program, 'ada')).status).toBe(201);
  limit('0');
  for (const name of ['ada', 'bob']) {
    const { status, body } = await postTo(program, name);
    expect([status, body.message]).toEqual([503, 'The store of sessions is full at the moment.']);
  }
  const ada = { 'x-backlot-session': 'ada' };
  expect((await program.call('GET /api/orders/121', undefined, ada)).status).toBe(200);
  expect((await program.call('GET /api/orders/122', undefined, ada)).status).toBe(404);
  expect((await program.call('GET /_backlot/health?ready')).status).toBe(200);
  limit('unlimited');
  expect((await postTo(program, 'ada')).body.id).toBe(122);
  expect([savedOrders('ada'), savedOrders('bob')]).toEqual([2, 0]);
  expect(program.warned()).toMatch(
    /^backlot: Cannot save a session: E\w+: [^\n]+\. Until that is mended, changes get status 503\.\nbacklot: Sessions are saved again\.\n$/,
  );
});
