import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { FileStore } from '../../src/mounts/stores/file-store.ts';
import { decodeFile, encodeFile } from '../../src/mounts/stores/session-file.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { openReplica } from '../support/replica.ts';
import { send } from './send.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backlot-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const order = { channel: 1, user: 1, currency: 'EUR' };
const ada = { 'x-backlot-session': 'Ada' };

/** Opens the store of the folder. Returns what it has written to the terminal, too. */
async function open(options: { idle?: number } = {}) {
  const warned: string[] = [];
  const warn = (message: string): void => void warned.push(message);
  const store = await FileStore.open(folder, { idle: 1e9, ...options, warn });
  onTestFinished(async () => store.close());
  return { store, warned };
}

test('sessions, the shared back office and their snapshots outlive the process', async () => {
  const first = await startProgram('--store', `file:${folder}`, '--quiet');
  await first.call('POST /api/orders/', order);
  await first.call('POST /api/orders/', order, ada);
  await first.call('POST /_backlot/snapshot', { name: 'one' }, ada);
  await first.call('POST /api/orders/', order, ada);
  const before = await first.call('GET /_backlot/export', undefined, ada);
  first.child.kill();
  await once(first.child, 'exit');
  const second = await startProgram('--store', `file:${folder}`, '--quiet');
  const after = await second.call('GET /_backlot/export', undefined, ada);
  expect([after.body, after.headers['x-backlot-notice']]).toEqual([before.body, undefined]);
  expect((await second.call('GET /api/orders/121')).status).toBe(200);
  expect((await second.call('GET /api/orders/122')).status).toBe(404);
  await second.call('POST /_backlot/snapshot/one/restore', undefined, ada);
  expect((await second.call('GET /api/orders/122', undefined, ada)).status).toBe(404);
  const { code, err } = await runProgram('--port', '0', '--store', `file:${folder}`);
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(
      `^backlot: Process ${second.child.pid} of .+ uses the folder ${folder} already. Stop it, or use another folder. See .+\n$`,
    ),
  ]);
});

test('a session that another version of the server has saved begins anew and says so', async () => {
  const state = JSON.stringify({
    program: 'another',
    scenario: 'default',
    opened: 0,
    saved: 0,
    office: { start: {} },
  });
  const file = join(folder, 'ada.backlot-session');
  writeFileSync(file, encodeFile(state));
  const server = await openReplica(`file:${folder}`);
  onTestFinished(async () => server.close());
  const { notice } = await send([server], 'ada', 'POST /api/orders/', order);
  expect(notice).toBe('Session ada was reset: it was saved by another version of the server.');
  const saved = JSON.parse(decodeFile(readFileSync(file, 'utf8')) ?? '');
  expect(saved.office.tables.orders.rows).toHaveLength(1);
});

test('a folder with files of others is refused with the command that is right, and nothing in it changes', async () => {
  for (const name of ['package.json', 'a b\u009B.json.tmp', 'one.txt', 'two'])
    writeFileSync(join(folder, name), '{"program": 1}');
  mkdirSync(join(folder, '.git'));
  const before = readdirSync(folder);
  await expect(open({ idle: 0 })).rejects.toThrow(
    `The folder ${folder} has what is not of a store: .git, a b?.json.tmp, one.txt and 2 more. Use a folder of its own: --store file:${folder}/sessions`,
  );
  expect(readdirSync(folder)).toEqual(before);
  expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe('{"program": 1}');
});

test('files of others that come into the folder later are not touched', async () => {
  const { store } = await open({ idle: 1 });
  for (const name of ['package.json', 'notes.json.tmp', 'x.backlot-session.txt']) {
    writeFileSync(join(folder, name), '{}');
    utimesSync(join(folder, name), 1000, 1000);
  }
  writeFileSync(join(folder, 'old.backlot-session'), encodeFile('{}'));
  utimesSync(join(folder, 'old.backlot-session'), 1000, 1000);
  await expect.poll(() => existsSync(join(folder, 'old.backlot-session'))).toBe(false);
  await store.close();
  expect(readdirSync(folder).toSorted()).toEqual([
    'notes.json.tmp',
    'package.json',
    'x.backlot-session.txt',
  ]);
});

test('a folder that cannot be created is refused at once', async () => {
  folder = '/proc/x/y';
  await expect(open()).rejects.toThrow(/^Cannot write to \/proc\/x\/y: ENO\w+: /);
});

test('a folder is created with those above it, and what systems put into it is ignored', async () => {
  folder = join(folder, 'a', 'b');
  const { store } = await open();
  await store.close();
  mkdirSync(join(folder, 'lost+found'));
  writeFileSync(join(folder, '.DS_Store'), '');
  await open();
  expect(readdirSync(folder)).toHaveLength(3);
});

const saver = fileURLToPath(new URL('save-forever.ts', import.meta.url));

test('a process that is killed in the middle of a save leaves a whole session, and the next one starts at once', async () => {
  const runs = Number(process.env['RUNS'] ?? 4);
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
    const { store } = await open();
    const { text = '' } = await store.read('ada');
    await store.close();
    const { count, filler } = JSON.parse(text) as { count: number; filler: string };
    expect(filler).toHaveLength(100_000);
    // A save that is acknowledged is there.
    last = Number(printed.trim().split('\n').at(-1));
    expect(count).toBeGreaterThanOrEqual(last);
  }
  expect(last).toBeGreaterThan(0);
});

test('the files of sessions that were not used for too long are deleted, and what has no mark stays', async () => {
  const session = encodeFile('{}');
  const files = {
    'old.backlot-session': session,
    'new.backlot-session': session,
    'half.backlot-session.tmp': session.slice(0, 20),
    'foreign.backlot-session': '# Theirs',
    'foreign.backlot-session.tmp': '# Theirs',
  };
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), content);
    if (!name.startsWith('new')) utimesSync(join(folder, name), 1000, 1000);
  }
  const { store } = await open({ idle: 60_000 });
  await expect.poll(() => existsSync(join(folder, 'old.backlot-session'))).toBe(false);
  await store.close();
  expect(readdirSync(folder).toSorted()).toEqual([
    'foreign.backlot-session',
    'foreign.backlot-session.tmp',
    'new.backlot-session',
  ]);
});

test('what only looks like a session is set aside with a word: folders, links and odd names', async () => {
  const target = join(folder, 'target.backlot-session');
  writeFileSync(target, encodeFile('{}'));
  mkdirSync(join(folder, 'folder.backlot-session'));
  writeFileSync(join(folder, 'folder.backlot-session', 'mine.txt'), 'mine');
  symlinkSync(target, join(folder, 'link.backlot-session'));
  symlinkSync(target, join(folder, 'link.backlot-session.tmp'));
  for (const name of ['Ada', '%zz', '%41%4', '']) {
    writeFileSync(join(folder, `${name}.backlot-session`), 'x');
  }
  const { store, warned } = await open();
  expect(warned).toEqual([
    'Set aside, because no session has such a file: %41%4.backlot-session, %zz.backlot-session, .backlot-session and 4 more.',
  ]);
  expect(await store.read('link')).toMatchObject({ version: undefined });
  expect(readFileSync(target, 'utf8')).toContain('{}');
  const aside = readdirSync(folder).filter((name) => name.includes('.damaged-'));
  expect(aside).toHaveLength(7);
  const moved = aside.find((name) => name.startsWith('folder')) ?? '';
  expect(readdirSync(join(folder, moved))).toEqual(['mine.txt']);
});

test('no file of a session has the name of a device of Windows', async () => {
  const { store } = await open();
  const names = ['con', 'com1', 'lpt9', 'nul', 'console', 'Con'];
  for (const name of names) {
    expect(await store.write(name, undefined, name)).toBe('1');
  }
  await store.close();
  expect(readdirSync(folder).toSorted()).toEqual(
    ['%43on', '%63om1', '%63on', '%6cpt9', '%6eul', 'console'].map(
      (one) => `${one}.backlot-session`,
    ),
  );
  const again = (await open()).store;
  for (const name of names) {
    expect(await again.read(name)).toMatchObject({ text: name });
  }
});
