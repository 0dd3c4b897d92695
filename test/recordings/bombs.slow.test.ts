import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { unpack, unpackJson } from '../../src/engine/lib/trace-file.ts';
import { runCommand, startServer } from '../support/command.ts';
import { entries, replayEntries } from './foreign-recording.ts';
import { savedFile } from '../support/recording.ts';

/** 16 MiB of one character as gzip, which can be put one after another. */
function repeated(character: string, count: number): Buffer {
  const member = gzipSync(Buffer.alloc(16 * 1_048_576, character));
  return Buffer.concat(Array.from({ length: count }, () => member));
}

function packed(text: Buffer | string): string {
  return deflateRawSync(text).toString('base64');
}

/** 1 GiB of zeros in 1 MB, and these in a few kB. */
const zeros = repeated('\0', 64);
const twice = gzipSync(zeros);

test.each([
  ['1 GiB of zeros', zeros],
  [
    '128 MiB of zeros behind its beginning',
    Buffer.concat([gzipSync('{"log":{"entries":['), repeated('\0', 8)]),
  ],
  ['128 MiB of blanks', repeated(' ', 8)],
  ['128 MiB of opening brackets', repeated('[', 8)],
  ['128 MiB of closing brackets', repeated(']', 8)],
  ['an entry of 128 MiB', Buffer.concat([gzipSync('{"log":{"entries":[{"a":"'), repeated('a', 8)])],
  ['a name of 128 MiB', Buffer.concat([gzipSync('{"log":{"'), repeated('a', 8)])],
  ['gzip of gzip', twice],
  ['half a file', zeros.subarray(0, 500_000)],
])('a packed recording of %s ends in one line', async (_, content) => {
  const file = savedFile('shop.har.gz', content);
  const out = join(dirname(file), 'shop.json');
  for (const words of [
    ['replay', file],
    ['pull', file, '--out', out],
  ]) {
    const ended = await runCommand(...words);
    expect(ended).toEqual({ code: 2, out: '', err: expect.stringMatching(/^backlot: .+\n$/) });
    expect(ended.err.length).toBeLessThan(1000);
  }
  expect(existsSync(out)).toBe(false);
});

test('a recorded body that unpacks to 1 GiB is left out, also in two codings', async () => {
  const read = entries.at(-1)!;
  const encoded = (text: string, coding: string): unknown => ({
    ...read,
    response: {
      ...read.response,
      headers: [...read.response.headers, { name: 'content-encoding', value: coding }],
      content: { ...read.response.content, text, encoding: 'base64' },
    },
  });
  const { leftOut } = await replayEntries([
    ...entries,
    encoded(zeros.subarray(0, 300_000).toString('base64'), 'gzip'),
    encoded(twice.toString('base64'), 'gzip, gzip'),
  ]);
  expect(leftOut).toEqual({ 'with a body larger than 1 MiB': 2 });
});

test.each(['import', 'trace', 'reset'])(
  'POST /_backlot/%s refuses a body that unpacks to 1 GiB, and changes nothing',
  async (path) => {
    const { url, call } = await startServer();
    const state = async (): Promise<unknown> => (await call('GET /_backlot/export')).body;
    const before = await state();
    const bodies = [
      ['gzip', zeros],
      ['gzip, gzip', twice],
    ] as const;
    for (const [coding, body] of bodies) {
      const headers = { 'content-type': 'application/json', 'content-encoding': coding };
      const response = await fetch(`${url}/_backlot/${path}`, {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
      });
      expect([response.status, await response.json()]).toEqual([
        413,
        { code: 413, message: expect.stringMatching(/^The body is larger than \d+ bytes\.$/) },
      ]);
    }
    expect(await state()).toEqual(before);
  },
);

test('a share link is unpacked up to the size, depth and number of values of a trace', async () => {
  await expect(unpack(packed(Buffer.alloc(128 * 1_048_576)))).rejects.toThrow(
    'The trace is larger than 64 MiB',
  );
  await expect(unpackJson(packed('['.repeat(201)))).rejects.toThrow(
    'The trace is nested more than 200 levels deep',
  );
  await expect(unpackJson(packed('1,'.repeat(20)))).rejects.toThrow('The trace is not JSON');
  await expect(unpackJson('%')).rejects.toThrow();
});
