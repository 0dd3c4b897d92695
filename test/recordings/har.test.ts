import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { replayRecording } from '../../src/verify/replay/replay.ts';
import { storeApi } from '../../src/define.ts';
import { caller, openOffice } from '../support/office.ts';
import { harText, Recording, savedFile } from '../support/recording.ts';

const api = storeApi;
const office = openOffice();

interface Content {
  readonly text?: string;
  readonly encoding?: string;
  readonly size?: number;
  readonly _file?: string;
}

/** Returns an entry with the response of a new shop, as Chrome has it. */
async function entryOf(url: string, content?: (text: string) => Content) {
  const { pathname, search } = new URL(url);
  const response = await office.fetch(`${pathname}${search}`);
  const text = await response.text();
  return {
    startedDateTime: '2026-11-27T10:00:00.123Z',
    time: 12.5,
    request: { method: 'GET', url, headers: [{ name: ':authority', value: 'shop.test' }] },
    response: {
      status: response.status,
      headers: [
        { name: 'content-type', value: 'application/json' },
        { name: 'content-encoding', value: 'br' },
      ],
      content: {
        size: text.length,
        mimeType: 'application/json',
        ...(content?.(text) ?? { text }),
      },
    },
    cache: {},
  };
}

const order = 'https://shop.test/api/orders/1/';

function timeAfter(milliseconds: number): string {
  return new Date(1e12 + milliseconds).toISOString();
}

function replay(file: string) {
  return replayRecording(file, { api });
}

test.each<[string, (text: string) => Content]>([
  ['plain text', (text) => ({ text })],
  ['base64', (text) => ({ text: Buffer.from(text).toString('base64'), encoding: 'base64' })],
  [
    'compressed base64, as some proxies have it',
    (text) => ({ text: gzipSync(text).toString('base64'), encoding: 'base64' }),
  ],
])('a body in %s is compared', async (_, content) => {
  const right = await entryOf(order, content);
  const wrong = await entryOf(order, (text) =>
    content(text.replace(/"total":(\d)/, '"total":9$1')),
  );
  expect((await replay(savedFile('a.har', harText([right])))).findings).toEqual([]);
  const { findings } = await replay(savedFile('a.har', harText([wrong])));
  expect(findings.map(({ kind }) => kind)).toContain('total');
});

test('a body in a file beside the archive is compared, as Playwright attaches it', async () => {
  const file = savedFile('a.har', harText([await entryOf(order, () => ({ _file: 'body.json' }))]));
  writeFileSync(join(dirname(file), 'body.json'), '{"id":1}');
  const { findings } = await replay(file);
  expect(findings.map(({ at }) => at)).toContain('body.items');
});

test('a file of the network panel of Firefox has no differences from a shop like that of its page', async () => {
  // Saved by Firefox 153 from a page of another origin that reads and writes at a new shop, and aborts its last request.
  const file = join(import.meta.dirname, 'firefox-153.har');
  const { findings, requests, leftOut } = await replay(file);
  expect(findings).toEqual([]);
  expect(requests).toBe(10);
  expect(leftOut).toEqual({ 'preflight of CORS': 4, aborted: 1 });
});

test('a response without its body is compared by status and headers', async () => {
  // Firefox leaves bodies out unless it is told to include them.
  const right = await entryOf(order, () => ({ size: 812 }));
  const wrong = { ...right, response: { ...right.response, status: 404 } };
  const { findings } = await replay(savedFile('a.har', harText([right, wrong])));
  expect(findings.map(({ at, entry }) => [at, entry])).toEqual([['status', 2]]);
});

test('entries that are no answers of the server are left out, with the reason', async () => {
  const entry = await entryOf(order);
  const { request, response } = entry;
  const entries = [
    entry,
    { ...entry, request: { ...request, url: 'https://cdn.test/app.js' } },
    { ...entry, response: { ...response, status: 0, _error: 'net::ERR_ABORTED' } },
    { ...entry, response: { ...response, status: -1 } },
    { ...entry, response: { ...response, status: 302, redirectURL: '/api/orders/2/' } },
    { ...entry, _fromCache: 'disk' },
    { ...entry, response: { ...response, status: 304 } },
    { ...entry, cache: { afterRequest: null } },
    { ...entry, _resourceType: 'websocket', request: { ...request, url: 'wss://shop.test/live' } },
    {
      ...entry,
      request: {
        ...request,
        method: 'OPTIONS',
        headers: [{ name: 'Access-Control-Request-Method', value: 'PUT' }],
      },
    },
    {
      ...entry,
      request: {
        ...request,
        method: 'POST',
        postData: { mimeType: 'multipart/form-data; boundary=-', text: '--' },
      },
    },
    { startedDateTime: 'yesterday' },
  ];
  const { leftOut, requests } = await replay(savedFile('a.har', harText(entries)));
  expect(requests).toBe(1);
  expect(leftOut).toEqual({
    'to other servers or paths': 1,
    aborted: 2,
    redirected: 1,
    'from a cache': 3,
    WebSocket: 1,
    'preflight of CORS': 1,
    'with a multipart form whose fields are not recorded': 1,
    'that cannot be read: request.url is missing (entry 12)': 1,
  });
});

/** Records a cart and its item, with `startedDateTime` and `time` of each entry. */
async function cartWith(...times: readonly (readonly [start: unknown, time: number])[]) {
  const recording = new Recording();
  const shop = openOffice();
  const call = caller(recording.recorded((url, init) => shop.fetch(url, init)));
  await call('POST /api/orders/', { channel: 1, user: 1, currency: 'EUR' });
  await call('POST /api/orders/121/items/', { variant: 1, quantity: 2 });
  await call('GET /api/orders/121/');
  return recording.entries.map((entry, at) => {
    const [startedDateTime, time] = times[at] ?? [];
    return { ...entry, startedDateTime, time };
  });
}

test.each<[string, (readonly [start: unknown, time: number])[]]>([
  [
    'their start',
    [
      [timeAfter(0), 900],
      [timeAfter(10), 40],
      [timeAfter(20), 1],
    ],
  ],
  [
    'the file, if they have one time',
    [
      [timeAfter(0), 900],
      [timeAfter(0), 40],
      [timeAfter(0), 1],
    ],
  ],
  [
    'the file, without a time',
    [
      [undefined, 900],
      [null, 40],
      [{}, 1],
    ],
  ],
  [
    'their start in milliseconds',
    [
      [1e12, 900],
      [1e12 + 10, 40],
      [`${1e12 + 20}`, 1],
    ],
  ],
  [
    'the file, where a time is missing',
    [
      [timeAfter(0), 9],
      [undefined, 40],
      [timeAfter(20), 1],
    ],
  ],
])('requests are sent in the order of %s', async (_, times) => {
  const entries = await cartWith(...times);
  const { findings, requests } = await replay(savedFile('a.har', harText(entries)));
  expect(findings).toEqual([]);
  expect(requests).toBe(3);
});

test('entries that are in another order than their times are sent in the order of these', async () => {
  const entries = await cartWith([timeAfter(0), 9], [timeAfter(10), 9], [timeAfter(20), 9]);
  const file = savedFile('a.har', harText(entries.toReversed()));
  expect((await replay(file)).findings).toEqual([]);
});

test('the API may be behind a path, and at another one', async () => {
  const entry = await entryOf('https://shop.test/backend/rest/v2/zones/1');
  const zone = await office.call('GET /api/zones/1');
  const text = JSON.stringify(zone.body).replaceAll('"/api/', '"/backend/rest/v2/');
  const response = { ...entry.response, status: 200, content: { text } };
  const file = savedFile('a.har', harText([{ ...entry, response }]));
  const { findings, url } = await replayRecording(file, { api, apiPath: '/rest/v2' });
  expect(findings).toEqual([]);
  expect(url).toBe('https://shop.test/backend');
});

const other = harText([
  { ...(await entryOf(order)), request: { method: 'GET', url: 'https://pets.test/api/pets' } },
]);

test.each<[string, string | Uint8Array, string]>([
  [
    'half a file',
    harText([await entryOf(order), await entryOf(order)]).slice(0, -900),
    'is cut off after entry 1',
  ],
  [
    'half a compressed file',
    gzipSync(harText([await entryOf(order)])).subarray(0, -40),
    'is cut off after',
  ],
  ['UTF-16', Buffer.from(`\uFEFF${harText([])}`, 'utf16le'), 'is UTF-16. Save it as UTF-8.'],
  ['Latin-1', Buffer.from('{"log":{"comment":"caf\xE9"}}', 'latin1'), 'is not UTF-8.'],
  ['a zip archive', Buffer.from('PK\u0003\u0004'), 'is a zip archive. Unpack it'],
  ['other JSON', '{"log":{"pages":[]}}', 'is no HTTP archive (HAR): it has no log.entries.'],
  ['no JSON', '<html></html>', 'is no HTTP archive (HAR)'],
  ['an empty file', '', 'is no HTTP archive (HAR)'],
  ['a damaged entry', '{"log":{"entries":[{"time":1,}]}}', 'is damaged: entry 1 is not JSON.'],
  ['no entries', harText([]), 'has 0 entries, and none is a request of this API below /api.'],
  [
    'another API',
    other,
    'has 1 entries, and none is a request of this API below /api. Pass --api-path',
  ],
])('a recording that is %s cannot be replayed', async (_, content, message) => {
  const file = savedFile('a.har', content);
  await expect(replay(file)).rejects.toThrow(message);
});

test('an archive may begin with a byte order mark, and have spaces and other fields', async () => {
  const entry = await entryOf(order);
  const pages = [{ title: '{"entries": [{', entries: [{}] }];
  const log = {
    version: '1.2',
    comment: 'a "log" of {entries}',
    pages,
    entries: [entry],
    extra: [{}],
  };
  const file = savedFile('a.har', `\uFEFF${JSON.stringify({ log }, null, 2)}\n`);
  expect(await replay(file)).toMatchObject({ requests: 1, findings: [], leftOut: {} });
});
