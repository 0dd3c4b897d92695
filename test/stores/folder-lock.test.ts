import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { FileStore } from '../../src/mounts/stores/file-store.ts';
import { openReplica } from '../support/replica.ts';
import { send } from '../support/send.ts';

let folder: string;
let lock: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backlot-lock-'));
  lock = join(folder, 'owner.backlot-lock');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

async function open(lease: number): Promise<FileStore> {
  const store = await FileStore.open(folder, { idle: 1e9, lease, warn: () => undefined });
  onTestFinished(async () => store.close());
  return store;
}

/** Writes the lock of a process of another machine, which has the id of this one, as each first process of a container. */
function lockElsewhere(): string {
  const owner = { token: randomUUID(), process: process.pid, host: 'container-1' };
  const content = JSON.stringify({ ...owner, machine: 'another', hasSocket: true });
  writeFileSync(lock, content);
  return content;
}

const inUse = `uses the folder`;

test('a folder that is in use is refused at once, whatever process id the lock has', async () => {
  const store = await open(3_600_000);
  const content = readFileSync(lock, 'utf8');
  await expect(open(3_600_000)).rejects.toThrow(
    `Process ${process.pid} of ${hostname()} ${inUse} ${folder} already.`,
  );
  expect(readFileSync(lock, 'utf8')).toBe(content);
  await store.close();
  expect(readdirSync(folder)).toEqual([]);
});

test('a lock of another machine that is renewed is refused, and one that is not is taken, even if its process id runs', async () => {
  const content = lockElsewhere();
  const beat = setInterval(() => writeFileSync(lock, content), 20);
  await expect(open(2000)).rejects.toThrow(`Process ${process.pid} of container-1 ${inUse}`);
  clearInterval(beat);
  await open(100);
  expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ host: hostname() });
});

test('a lock that cannot be read is taken if nobody renews it', async () => {
  for (const content of ['', '12345', 'null', '{"token":1}', '\0']) {
    writeFileSync(lock, content);
    const store = await open(50);
    await store.close();
  }
  expect(existsSync(lock)).toBe(false);
});

test('of several processes that start at once, one gets the folder', async () => {
  for (let round = 0; round < 5; round++) {
    lockElsewhere();
    const opened = await Promise.allSettled(Array.from({ length: 6 }, async () => open(100)));
    const stores = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(stores).toHaveLength(1);
    await stores[0]?.close();
  }
});

test('a server whose folder was taken while it was suspended saves nothing more, and says so', async () => {
  const warned: string[] = [];
  const warn = (message: string): void => void warned.push(message);
  const server = await openReplica(`file:${folder}`, { lease: 200, warn });
  onTestFinished(async () => server.close());
  const order = { channel: 1, user: 1, currency: 'EUR' };
  expect((await send([server], 'ada', 'POST /api/orders/', order)).status).toBe(201);
  const file = join(folder, 'ada.backlot-session');
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('"orders"');
  const content = lockElsewhere();
  const post = async () => send([server], 'ada', 'POST /api/orders/', order);
  await expect.poll(async () => (await post()).status).toBe(503);
  const before = readFileSync(file, 'utf8');
  expect([(await post()).status, (await post()).retry]).toEqual([503, '1']);
  expect(warned.filter((line) => line.includes('Another process uses the folder'))).toHaveLength(1);
  await server.close();
  expect([readFileSync(file, 'utf8'), readFileSync(lock, 'utf8')]).toEqual([before, content]);
});
