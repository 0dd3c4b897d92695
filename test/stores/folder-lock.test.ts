import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { FileStore } from '../../src/mounts/stores/file-store.ts';
import { openReplica } from '../support/replica.ts';
import { send } from './send.ts';

let folder: string;
let lock: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backlot-lock-'));
  lock = join(folder, 'owner.backlot-lock');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

async function open(): Promise<FileStore> {
  const store = await FileStore.open(folder, { idle: 1e9, warn: () => undefined });
  onTestFinished(async () => store.close());
  return store;
}

/** Writes the lock of another process. Returns what it says. */
function lockBy(owner: { readonly process: number; readonly host: string }): string {
  const content = JSON.stringify({ token: randomUUID(), ...owner });
  writeFileSync(lock, content);
  return content;
}

/** Returns the id of a process that has ended. */
function endedProcess(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

test('a folder that is in use is refused at once', async () => {
  const store = await open();
  const content = readFileSync(lock, 'utf8');
  await expect(open()).rejects.toThrow(
    `Process ${process.pid} of ${hostname()} uses the folder ${folder} already. Stop it, or use another folder. See`,
  );
  expect(readFileSync(lock, 'utf8')).toBe(content);
  await store.close();
  expect(readdirSync(folder)).toEqual([]);
});

test('the lock of another host is refused with the file to delete, whatever process id it has', async () => {
  const content = lockBy({ process: endedProcess(), host: 'container-1' });
  await expect(open()).rejects.toThrow(
    ` of container-1 uses the folder ${folder} already. Stop it, or use another folder. If that host has ended, delete ${lock}.`,
  );
  expect(readFileSync(lock, 'utf8')).toBe(content);
});

test('a lock of a process that runs is refused, and of one that has ended is taken, also of an earlier container', async () => {
  lockBy({ process: process.ppid, host: hostname() });
  await expect(open()).rejects.toThrow(`Process ${process.ppid} of`);
  for (const id of [endedProcess(), process.pid]) {
    lockBy({ process: id, host: hostname() });
    const store = await open();
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ process: process.pid });
    await store.close();
  }
});

test('a lock that cannot be read is taken', async () => {
  for (const content of ['', '12345', 'null', '{"token":1}', '\0']) {
    writeFileSync(lock, content);
    const store = await open();
    await store.close();
  }
  expect(existsSync(lock)).toBe(false);
});

test('of several processes that start at once, one gets the folder', async () => {
  for (let round = 0; round < 5; round++) {
    lockBy({ process: endedProcess(), host: hostname() });
    const opened = await Promise.allSettled(Array.from({ length: 6 }, async () => open()));
    const stores = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(stores).toHaveLength(1);
    await stores[0]?.close();
  }
});

test('a server whose folder another process has taken saves nothing more, and says so', async () => {
  const warned: string[] = [];
  const warn = (message: string): void => void warned.push(message);
  const server = await openReplica(`file:${folder}`, { warn });
  onTestFinished(async () => server.close());
  const order = { channel: 1, user: 1, currency: 'EUR' };
  const post = async () => send([server], 'ada', 'POST /api/orders/', order);
  expect((await post()).status).toBe(201);
  const file = join(folder, 'ada.backlot-session');
  const before = readFileSync(file, 'utf8');
  const content = lockBy({ process: 1, host: 'container-1' });
  for (let count = 0; count < 3; count++)
    expect(await post()).toMatchObject({ status: 503, retry: '1' });
  expect((await send([server], 'ada', 'GET /api/orders/121')).status).toBe(503);
  expect((await fetch(`${server.url}/_backlot/health?ready`)).status).toBe(503);
  expect(warned).toEqual([`Another process uses the folder ${folder} now. Stop one of them.`]);
  await server.close();
  expect([readFileSync(file, 'utf8'), readFileSync(lock, 'utf8')]).toEqual([before, content]);
});
