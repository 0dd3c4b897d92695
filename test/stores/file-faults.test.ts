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
import { send } from './send.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backlot-faults-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const order = { channel: 1, user: 1, currency: 'EUR' };

/** Opens a server whose sessions are in the folder. Returns what it has written to the terminal, too. */
async function open() {
  const warned: string[] = [];
  const warn = (message: string): void => void warned.push(message);
  const server = await openReplica(`file:${folder}`, { warn });
  onTestFinished(async () => server.close());
  return { server, warned };
}

function fileOf(name: string): string {
  return join(folder, `${name}.backlot-session`);
}

/** Returns how many orders a session has in its file. */
function savedOrders(name: string): number {
  const content = existsSync(fileOf(name)) ? readFileSync(fileOf(name), 'utf8') : '';
  const text = decodeFile(content);
  return text === undefined ? 0 : JSON.parse(text).office.tables.orders.rows.length;
}

test('a damaged file of a session, whatever it has, is set aside, and the session begins anew with a notice', async () => {
  const { server, warned } = await open();
  await send([server], 'whole', 'POST /api/orders/', order);
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
  const saved = JSON.parse(decodeFile(readFileSync(fileOf('whole'), 'utf8')) ?? '');
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
    writeFileSync(fileOf(`t${at}`), encodeFile(state));
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
    expect(savedOrders(name)).toBe(1);
  }
  expect(warned).toHaveLength(2);
});

test('a change that the disk does not take is not made, and the terminal says so once', async () => {
  const { server, warned } = await open();
  const post = async (name: string) => send([server], name, 'POST /api/orders/', order);
  for (const name of ['ada', 'bob']) {
    expect((await post(name)).status).toBe(201);
    mkdirSync(`${fileOf(name)}.tmp`);
  }
  for (const name of ['ada', 'bob']) {
    const refused = await Promise.all([post(name), post(name)]);
    expect(refused.map(({ status, retry }) => [status, retry])).toEqual(
      refused.map(() => [503, '1']),
    );
    expect((await send([server], name, 'GET /api/orders/122')).status).toBe(404);
  }
  expect(warned).toEqual([
    expect.stringMatching(
      /^Cannot save a session: E\w+: .+\. Until that is mended, changes get status 503\.$/,
    ),
  ]);
  for (const name of ['ada', 'bob']) rmSync(`${fileOf(name)}.tmp`, { recursive: true });
  for (const name of ['ada', 'bob']) expect(JSON.parse((await post(name)).text).id).toBe(122);
  expect(warned.slice(1)).toEqual(['Sessions are saved again.']);
  expect([savedOrders('ada'), savedOrders('bob')]).toEqual([2, 2]);
});

test('sessions of a folder that was emptied go on from memory, are saved again, and say so', async () => {
  const { server, warned } = await open();
  for (const name of ['ada', 'bob']) await send([server], name, 'POST /api/orders/', order);
  rmSync(folder, { recursive: true });
  expect((await send([server], 'ada', 'POST /api/orders/', order)).status).toBe(201);
  expect(warned).toEqual([expect.stringContaining('was emptied')]);
  for (const notice of [expect.stringContaining('was restored from the memory'), null])
    expect(await send([server], 'bob', 'GET /api/orders/121')).toMatchObject({
      status: 200,
      notice,
    });
  expect([savedOrders('ada'), savedOrders('bob')]).toEqual([2, 1]);
});

test('a server whose folder another one had for some time shows what that one has saved', async () => {
  const { server, warned } = await open();
  await send([server], 'ada', 'POST /api/orders/', order);
  const ofOther = readFileSync(fileOf('ada'), 'utf8');
  await send([server], 'ada', 'POST /api/orders/', order);
  writeFileSync(fileOf('ada'), ofOther);
  // The other one has ended.
  rmSync(join(folder, 'owner.backlot-lock'));
  expect((await send([server], 'bob', 'POST /api/orders/', order)).status).toBe(201);
  expect(warned).toHaveLength(1);
  expect((await send([server], 'ada', 'GET /api/orders/122')).status).toBe(404);
  expect((await send([server], 'ada', 'GET /api/orders/121')).status).toBe(200);
});
