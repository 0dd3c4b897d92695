import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { converse } from '../support/conversation.ts';
import { harSchema } from '../support/har-schema.ts';
import { runCommand, startServer } from '../support/command.ts';
import { savedFile } from '../support/recording.ts';

function harFile(): string {
  return join(dirname(savedFile('notes.txt', '')), 'shop.har');
}

const isHar = new Ajv({ strict: false, validateFormats: false }).compile(harSchema);

function entriesIn(file: string): unknown[] {
  const har: unknown = JSON.parse(readFileSync(file, 'utf8'));
  expect(isHar(har), JSON.stringify(isHar.errors)).toBe(true);
  return (har as { log: { entries: unknown[] } }).log.entries;
}

test('what passes a proxy is recorded without secrets, and its replay has no differences', async () => {
  const shop = await startServer();
  const file = harFile();
  const proxy = await startServer('proxy', '--to', shop.url, '--record', file);
  await converse((url, init) => fetch(url, init), proxy.url);
  await proxy.call('PUT /_backlot/clock', { advance: 'P2D' });
  await proxy.call('GET /api/orders/?limit=200');
  const token = 'client_id=demo_client&client_secret=secret_demo_client&grant_type=password';
  await proxy.call(`GET /oauth/v2/token?${token}&username=api%40example.com&password=api`);
  await proxy.call('GET /api/orders/1/', undefined, { authorization: 'Bearer very-hidden' });
  expect((await proxy.stop()).out).toContain(`requests recorded in ${file}\n`);
  const text = readFileSync(file, 'utf8');
  expect(text).not.toMatch(/4242424242424242|secret_demo_client|very-hidden|password=api/);
  const { code, out } = await runCommand('replay', file);
  expect(out).toMatch(/^\S+shop\.har: no differences in 99 requests to \d+ endpoints/);
  expect(out).toContain(
    'Left out: 2 with a body that is not recorded, 1 for a token with a masked secret.',
  );
  expect(code).toBe(0);
});

test('a recording is whole after each request, while its proxy goes on', async () => {
  const shop = await startServer();
  const file = harFile();
  const proxy = await startServer('proxy', '--to', shop.url, '--record', file);
  const isRecorded = async (count: number) => expect.poll(() => entriesIn(file).length).toBe(count);
  await isRecorded(0);
  await proxy.call('GET /api/orders/1/');
  await isRecorded(1);
  await proxy.call('GET /api/users/1');
  await isRecorded(2);
  expect((await runCommand('replay', file)).code).toBe(0);
});

test('a recording that cannot be written is refused', async () => {
  const folder = dirname(harFile());
  const { code, err } = await runCommand('proxy', '--to', 'http://shop.test', '--record', folder);
  expect(err).toBe(`backlot: Cannot write ${folder}: it is a folder. Name a file in it.\n`);
  expect(code).toBe(2);
});
