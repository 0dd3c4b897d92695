import type * as fs from 'node:fs';
import type * as net from 'node:net';
import { join } from 'node:path/posix';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { findScenario } from '../../src/cli/scenarios.ts';
import { Coverage } from '../../src/engine/coverage/recorder.ts';
import { createFetchHandler, type FetchHandler } from '../../src/mounts/fetch-handler.ts';
import { reportRun } from '../../src/mounts/node/coverage-files.ts';
import { fileNameOf, keyOf } from '../../src/mounts/stores/session-file.ts';
import { storeAt } from '../../src/mounts/stores/store-at.ts';
import { placeOf } from './windows-disk.ts';

// These take paths of Windows, as they do there. The disk is a folder of this machine.
const { disk } = await vi.hoisted(async () => {
  vi.resetModules();
  const [{ mkdirSync, mkdtempSync }, { tmpdir }] = await Promise.all([
    import('node:fs'),
    import('node:os'),
  ]);
  const made = mkdtempSync(`${tmpdir()}/backlot-windows-`);
  mkdirSync(`${made}/C`);
  return { disk: made };
});
const { mkdirSync, readdirSync, rmSync, writeFileSync } =
  await vi.importActual<typeof fs>('node:fs');

vi.mock('../../src/mounts/stores/platform.ts', () => ({ isWindows: true }));
vi.mock(import('node:path'), async (actual) => {
  const { win32 } = await actual();
  return { ...win32, default: win32 };
});
vi.mock(import('node:fs'), async (actual) => {
  const { onDisk } = await import('./windows-disk.ts');
  return onDisk(await actual(), disk);
});
vi.mock(import('node:fs/promises'), async (actual) => {
  const { onDisk } = await import('./windows-disk.ts');
  return onDisk(await actual(), disk);
});
vi.mock('node:net', async () => {
  const { placeOf: at } = await import('./windows-disk.ts');
  const original = await vi.importActual<typeof net>('node:net');
  return {
    ...original,
    connect: (path: string) => original.connect(at(path, disk)),
    createServer(listener: () => void) {
      const server = original.createServer(listener);
      const listen = server.listen.bind(server);
      return Object.assign(server, { listen: (path: string) => listen(at(path, disk)) });
    },
  };
});

// Files of this project share their modules.
afterAll(() => {
  vi.doUnmock('../../src/mounts/stores/platform.ts');
  for (const name of ['path', 'fs', 'fs/promises', 'net']) vi.doUnmock(`node:${name}`);
  vi.resetModules();
  rmSync(disk, { recursive: true });
});

/** Opens a handler that is closed with the test. */
function open(url: string): FetchHandler {
  const handle = createFetchHandler({ store: storeAt(url) });
  onTestFinished(() => handle.close());
  return handle;
}

async function statusOf(handle: FetchHandler, path: string, method = 'GET'): Promise<number> {
  const body = new URLSearchParams({ channel: '1', user: '1', currency: 'EUR' });
  const init = method === 'GET' ? {} : { method, body };
  return (await handle(new Request(`http://localhost:3000${path}`, init))).status;
}

test('sessions are kept in a folder of Windows, each in a file that Windows can name', async () => {
  const url = 'file:///C:/shops/spring%20sale';
  const first = open(url);
  const names = ['ada', 'ADA', 'con', 'com1', 'a.b'];
  for (const name of names)
    expect(await statusOf(first, `/s/${name}/api/orders/`, 'POST')).toBe(201);
  await expect(statusOf(open(url), '/api/orders/1')).rejects.toThrow(/uses the folder C:\\shops/);
  await first.close();
  const second = open(String.raw`file:C:\shops\spring sale`);
  for (const name of names) expect(await statusOf(second, `/s/${name}/api/orders/121`)).toBe(200);
  expect(await statusOf(second, '/s/eve/api/orders/121')).toBe(404);
  const files = readdirSync(join(disk, 'C/shops/spring sale'));
  expect(files).toContain(fileNameOf('con'));
  expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(files.length);
});

test('a folder of Windows with files of others is refused with the command that is right', async () => {
  mkdirSync(join(disk, 'C/My Documents'), { recursive: true });
  writeFileSync(join(disk, 'C/My Documents/letter.txt'), '');
  const handle = open(String.raw`file:C:\My Documents`);
  await expect(statusOf(handle, '/api/orders/1')).rejects.toThrow(
    String.raw`--store "file:C:\My Documents\sessions"`,
  );
});

test('each key of a session has a name that Windows can have', () => {
  const keys = ['~shared', 'con', 'CON', 'nul', 'lpt9', '28~aux', 'a.', 'x'.repeat(64)];
  expect(keys.map((key) => keyOf(fileNameOf(key)))).toEqual(keys);
  for (const key of keys) placeOf(`C:\\shops\\${fileNameOf(key)}`, disk);
});

test('a scenario in a folder of Windows extends another one and has records beside it', async () => {
  mkdirSync(join(disk, 'C/app/parts'), { recursive: true });
  const files = {
    'sale.json': { name: 'sale', description: 'A sale.', extends: String.raw`parts\base.json` },
    'parts/base.json': {
      name: 'base',
      description: 'Base.',
      extends: 'default',
      settings: { maxLimit: 7 },
    },
  };
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(disk, 'C/app', name), JSON.stringify(content));
  const read: string[] = [];
  const { name } = await findScenario(String.raw`C:\app\sale.json`, (file) => read.push(file));
  expect([name, read]).toEqual([
    'sale',
    [String.raw`C:\app\sale.json`, String.raw`C:\app\parts\base.json`],
  ]);
});

test('reports of coverage are written to a folder of Windows', () => {
  const reporters = ['json', 'junit'] as const;
  const run = { folder: String.raw`C:\app`, log: () => undefined, isShard: false };
  reportRun([new Coverage().counts()], { reporters, directory: 'coverage/backlot' }, run);
  const files = readdirSync(join(disk, 'C/app/coverage/backlot')).toSorted();
  expect(files).toEqual(['coverage.json', 'junit.xml']);
});
