import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { decodeFile, encodeFile } from '../../src/mounts/stores/session-file.ts';
import { anyCharacter } from '../support/any-character.ts';
import { openReplica } from '../support/replica.ts';
import { runs } from '../support/runs.ts';
import { send } from '../support/send.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backlot-faults-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const order = { channel: 1, user: 1, currency: 'EUR' };

/** Opens a server whose sessions are in the folder. Returns what it has written to the terminal, too. */
async function open(options: { isDurable?: boolean; lease?: number } = {}) {
  const warned: string[] = [];
  const warn = (message: string): void => void warned.push(message);
  const server = await openReplica(`file:${folder}`, { ...options, warn });
  onTestFinished(async () => server.close());
  return { server, warned };
}

function fileOf(name: string): string {
  return join(folder, `${name}.backlot-session`);
}

/** Returns how many orders a session has in its file. */
function savedOrders(name: string): number {
  const content = existsSync(fileOf(name)) ? readFileSync(fileOf(name), 'utf8') : '';
  const state = decodeFile(content)?.state ?? '';
  return state === '' ? 0 : (JSON.parse(state).office.tables.orders?.rows.length ?? 0);
}

test('a damaged file of a session, whatever it has, is set aside, and the session begins anew with a notice', async () => {
  const { server, warned } = await open();
  await send([server], 'whole', 'POST /api/orders/', order);
  await expect.poll(() => savedOrders('whole')).toBe(1);
  const whole = readFileSync(fileOf('whole'), 'utf8');
  const end = whole.indexOf('\n') + 1;
  const at = fc.integer({ min: 0, max: whole.length - 1 });
  const content = fc.oneof(
    fc.json(),
    fc.json().map((value) => whole.slice(0, end) + value),
    fc.constantFrom('', 'null', '1', '{}', '{"office":null}', '{"ended":1}', whole.slice(end)),
    at.map((length) => whole.slice(0, length)),
    at.map((place) => `${whole.slice(0, place)}\u0001${whole.slice(place + 1)}`),
    fc.constant(whole.replace(/session \d/, 'session 2')),
    fc.string({ unit: anyCharacter }),
  );
  let count = 0;
  await fc.assert(
    fc.asyncProperty(content, async (text) => {
      // What is written over the word at the beginning can be the same.
      fc.pre(decodeFile(text) === undefined);
      const name = `s${(count += 1)}`;
      writeFileSync(fileOf(name), text);
      const { status, notice } = await send([server], name, 'POST /api/orders/', order);
      expect([status, notice]).toEqual([
        201,
        `Session ${name} was reset: what was saved of it cannot be read.`,
      ]);
      expect(warned.splice(0)).toEqual([
        `${fileOf(name)} is damaged. It was set aside, and its session begins anew.`,
      ]);
      const aside = readdirSync(folder).find((one) => one.startsWith(`${name}.backlot-session.d`));
      expect(readFileSync(join(folder, aside ?? ''), 'utf8')).toBe(Buffer.from(text).toString());
      const again = await send([server], name, 'GET /api/orders/121');
      expect([again.status, again.notice]).toEqual([200, null]);
    }),
    { numRuns: runs(120) },
  );
});

test('texts of sessions that are no state of one, under a right checksum, begin anew with a notice', async () => {
  const { server } = await open();
  await send([server], 'whole', 'POST /api/orders/', order);
  await expect.poll(() => savedOrders('whole')).toBe(1);
  const saved = JSON.parse(decodeFile(readFileSync(fileOf('whole'), 'utf8'))?.state ?? '');
  const states = [
    'null',
    '1',
    '[]',
    '{}',
    '{"office":null}',
    '{"ended":null}',
    JSON.stringify({ ...saved, office: null }),
    JSON.stringify({ ...saved, office: {} }),
    JSON.stringify({ ...saved, office: { ...saved.office, tables: { orders: { rows: 7 } } } }),
    JSON.stringify({ ...saved, office: { ...saved.office, start: { scenario: 'a\nb' } } }),
    '{"ended":"one\\r\\ntwo ü"}',
  ];
  for (const [at, state] of states.entries()) {
    writeFileSync(fileOf(`t${at}`), encodeFile({ state, isOwned: false }));
    const { status, notice } = await send([server], `t${at}`, 'POST /api/orders/', order);
    expect([state, status, notice]).toEqual([
      state,
      201,
      expect.stringMatching(/^Session t\d+ was reset: [ -~]+\.$/),
    ]);
  }
});

test('a folder or a link in place of a session leads to a session that begins anew', async () => {
  const { server, warned } = await open();
  mkdirSync(fileOf('ada'));
  writeFileSync(join(fileOf('ada'), 'mine.txt'), 'mine');
  spawnSync('mkfifo', [fileOf('pipe')]);
  for (const name of ['ada', 'pipe']) {
    const { status, notice } = await send([server], name, 'POST /api/orders/', order);
    expect([status, notice]).toEqual([201, expect.stringContaining('cannot be read')]);
    await expect.poll(() => savedOrders(name)).toBe(1);
  }
  expect(warned).toHaveLength(2);
});

test('a disk that takes no sessions is said once on the terminal, and again when it does, and nothing is lost', async () => {
  const { server, warned } = await open();
  const post = async (name: string) => send([server], name, 'POST /api/orders/', order);
  for (const name of ['ada', 'bob']) {
    await post(name);
    await expect.poll(() => savedOrders(name)).toBe(1);
    mkdirSync(`${fileOf(name)}.tmp`);
    expect((await post(name)).status).toBe(201);
  }
  await expect.poll(() => warned).toHaveLength(1);
  expect(warned[0]).toMatch(/^Cannot save a session: E\w+: .+\. The server tries again\.$/);
  // Ended sessions, too, are kept until the disk takes them.
  expect((await send([server], 'bob', 'POST /_backlot/reset')).status).toBe(200);
  expect((await fetch(`${server.url}/_backlot/health?ready`)).status).toBe(200);
  for (const name of ['ada', 'bob']) rmSync(`${fileOf(name)}.tmp`, { recursive: true });
  await expect.poll(() => warned).toHaveLength(2);
  expect(warned[1]).toBe('All sessions are saved again.');
  expect([savedOrders('ada'), savedOrders('bob')]).toEqual([2, 0]);
});

test('a durable response says when its change cannot be saved, and the change is saved when that is possible', async () => {
  const { server, warned } = await open({ isDurable: true });
  const post = async () => send([server], 'ada', 'POST /api/orders/', order);
  expect((await post()).status).toBe(201);
  mkdirSync(`${fileOf('ada')}.tmp`);
  const refused = await Promise.all([post(), post(), post()]);
  expect(refused.map(({ status, retry }) => [status, retry])).toEqual(
    refused.map(() => [503, '1']),
  );
  rmSync(`${fileOf('ada')}.tmp`, { recursive: true });
  await expect.poll(() => savedOrders('ada')).toBe(4);
  expect((await post()).status).toBe(201);
  expect(savedOrders('ada')).toBe(5);
  expect(warned).toHaveLength(2);
});

test('sessions of a folder that was emptied go on from memory, and are saved again', async () => {
  const { server, warned } = await open({ lease: 200 });
  await send([server], 'ada', 'POST /api/orders/', order);
  await expect.poll(() => savedOrders('ada')).toBe(1);
  rmSync(folder, { recursive: true });
  await expect.poll(() => warned).toContainEqual(expect.stringContaining('was emptied'));
  expect((await send([server], 'ada', 'GET /api/orders/121')).status).toBe(200);
  await expect.poll(() => savedOrders('ada')).toBe(1);
});

test('a server that was suspended while another one had the folder shows what that one has saved', async () => {
  const { server, warned } = await open({ lease: 200 });
  await send([server], 'ada', 'POST /api/orders/', order);
  await expect.poll(() => savedOrders('ada')).toBe(1);
  const ofOther = readFileSync(fileOf('ada'), 'utf8');
  await send([server], 'ada', 'POST /api/orders/', order);
  await expect.poll(() => savedOrders('ada')).toBe(2);
  writeFileSync(fileOf('ada'), ofOther);
  // The other one has ended.
  for (const name of readdirSync(folder))
    if (name.endsWith('.backlot-lock')) rmSync(join(folder, name));
  await expect.poll(() => warned).toHaveLength(1);
  const { status, notice } = await send([server], 'ada', 'GET /api/orders/122');
  expect([status, notice]).toEqual([404, expect.stringContaining('ada was')]);
  expect((await send([server], 'ada', 'GET /api/orders/121')).status).toBe(200);
});

test('what a killed server leaves leads to notices: of changes that may be missing, and of a session that was never saved', async () => {
  const { server } = await open();
  await send([server], 'ada', 'POST /api/orders/', order);
  await expect.poll(() => savedOrders('ada')).toBe(1);
  const left = readFileSync(fileOf('ada'), 'utf8');
  await server.close();
  const released = readFileSync(fileOf('ada'), 'utf8');
  writeFileSync(fileOf('bob'), left);
  writeFileSync(fileOf('eve'), encodeFile({ state: '', isOwned: true }));
  const { server: next } = await open();
  const notices = [];
  for (const name of ['ada', 'bob', 'eve', 'bob', 'eve', 'new']) {
    const { status, notice } = await send([next], name, 'GET /api/orders/121');
    notices.push([name, status, notice]);
  }
  expect(notices).toEqual([
    ['ada', 200, null],
    ['bob', 200, expect.stringContaining('a server that has ended without saving it')],
    ['eve', 404, 'Session eve was reset: its server has ended before it was saved.'],
    ['bob', 200, null],
    ['eve', 404, null],
    ['new', 404, null],
  ]);
  expect(released).not.toBe(left);
});
