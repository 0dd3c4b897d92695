import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { expect, test } from 'vitest';
import { storeApi } from '../../src/define.ts';
import { replayRecording } from '../../src/verify/replay/replay.ts';
import { textReport } from '../../src/verify/replay/report.ts';
import { receivedRecording } from '../support/recording.ts';
import { entries, replayEntries, type Entry, type Message } from './foreign-recording.ts';

type Change = (entry: Entry) => unknown;

function withBody(change: (text: string) => object, coding?: string): Change {
  return ({ response, ...entry }) => ({
    ...entry,
    response: {
      ...response,
      headers: [
        ...response.headers,
        ...(coding === undefined ? [] : [{ name: 'Content-Encoding', value: coding }]),
      ],
      content: { ...response.content, ...change(response.content.text ?? '') },
    },
  });
}

function packed(pack: (text: string) => Buffer, coding?: string): Change {
  return withBody((text) => ({ text: pack(text).toString('base64'), encoding: 'base64' }), coding);
}

function withHeaders(change: (headers: Message['headers']) => unknown): Change {
  return ({ request, response, ...entry }) => ({
    ...entry,
    request: { ...request, headers: change(request.headers) },
    response: { ...response, headers: change(response.headers) },
  });
}

function withPost(change: (text: string) => object): Change {
  return ({ request, ...entry }) => {
    const { postData } = request;
    if (postData === undefined) return { request, ...entry };
    return {
      ...entry,
      request: { ...request, postData: { ...postData, ...change(postData.text) } },
    };
  };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const form = { mimeType: 'multipart/form-data; boundary=x1', params: [] };
const fieldsOf = (text: string): [string, unknown][] =>
  text.startsWith('{')
    ? Object.entries(JSON.parse(text) as object)
    : [...new URLSearchParams(text)];

function multipart(text: string, lineEnd: string): string {
  const parts = fieldsOf(text).map(
    ([name, value]) =>
      `--x1${lineEnd}Content-Disposition: form-data; name="${name}"${lineEnd}${lineEnd}${String(value)}${lineEnd}`,
  );
  return `${parts.join('')}--x1--${lineEnd}`;
}

test.each<[string, Change]>([
  ['as it is', (entry) => entry],
  ['without a date', (entry) => ({ ...entry, startedDateTime: undefined })],
  ['with a date of another type', (entry) => ({ ...entry, startedDateTime: {} })],
  ['with a duration as text', (entry) => ({ ...entry, time: '12.5 ms' })],
  [
    'with a method in lower case',
    ({ request, ...entry }) => ({
      ...entry,
      request: { ...request, method: String(request['method']).toLowerCase() },
    }),
  ],
  [
    'with a status as text',
    ({ response, ...entry }) => ({
      ...entry,
      response: { ...response, status: `${String(response['status'])} OK` },
    }),
  ],
  ['with a header of null', withHeaders((headers) => [{ name: 'age', value: null }, ...headers])],
  ['with a header that is no object', withHeaders((headers) => [null, 'x', ...headers])],
  ['with a header of a number', withHeaders((headers) => [{ name: 'age', value: 3 }, ...headers])],
  [
    'with headers as an object',
    withHeaders((headers) => Object.fromEntries(headers.map(({ name, value }) => [name, value]))),
  ],
  [
    'with fields of null',
    (entry) => ({
      ...entry,
      cache: null,
      timings: null,
      _resourceType: null,
      _initiator: null,
      pageref: null,
    }),
  ],
  ['with a body as parsed JSON', withBody((text) => ({ text: JSON.parse(text) as unknown }))],
  ['with a body in base64', withBody((text) => ({ text: base64(text), encoding: 'BASE64' }))],
  ['in gzip', packed((text) => gzipSync(text))],
  ['in gzip, as a header says', packed((text) => gzipSync(text), 'gzip')],
  ['in brotli', packed((text) => brotliCompressSync(text), 'br')],
  ['in deflate', packed((text) => deflateSync(text), 'deflate')],
  ['in deflate without its format', packed((text) => deflateRawSync(text), 'deflate')],
  ['in zstd', packed((text) => zstdCompressSync(text), 'zstd')],
  ['in two codings', packed((text) => brotliCompressSync(gzipSync(text)), 'gzip, br')],
  ['in one coding twice', packed((text) => gzipSync(gzipSync(text)), 'gzip, X-GZIP')],
  ['in base64, with the header of what was decoded', packed((text) => Buffer.from(text), 'br')],
  ['with the header of what was decoded', withBody((text) => ({ text }), 'gzip')],
  ['with a coding that nobody knows', packed((text) => Buffer.from(text), 'sdch')],
  ['without a body that its size tells of', withBody(() => ({ text: '', size: 7886 }))],
  ['with half a body', withBody((text) => ({ text: text.slice(0, 40), size: text.length }))],
  [
    'with no content',
    (entry) => ({ ...entry, response: { ...entry.response, content: undefined } }),
  ],
  ['with requests in base64', withPost((text) => ({ text: base64(text), encoding: 'base64' }))],
  [
    'with requests in gzip',
    ({ request, ...entry }) => ({
      ...entry,
      request: {
        ...request,
        headers: [...request.headers, { name: 'content-encoding', value: 'gzip' }],
        ...(request.postData !== undefined && {
          postData: {
            ...request.postData,
            text: gzipSync(request.postData.text).toString('base64'),
            encoding: 'base64',
          },
        }),
      },
    }),
  ],
  [
    'with requests as parameters',
    withPost((text) => ({
      text: '',
      params: fieldsOf(text).map(([name, value]) => ({ name, value: String(value) })),
      mimeType: 'application/x-www-form-urlencoded',
    })),
  ],
  [
    'with requests as the text of a multipart form',
    withPost((text) => ({ ...form, text: multipart(text, '\r\n') })),
  ],
  [
    'with requests as that text, with other line ends',
    withPost((text) => ({ ...form, text: multipart(text, '\n') })),
  ],
  [
    'with requests as that text, without its boundary',
    withPost((text) => ({
      ...form,
      mimeType: 'multipart/form-data',
      text: multipart(text, '\r\n'),
    })),
  ],
])('a recording %s has no differences', async (_, change) => {
  const changed = entries.map(change);
  const { findings, requests, leftOut } = await replayEntries(
    JSON.parse(JSON.stringify(changed)) as unknown[],
  );
  expect(findings).toEqual([]);
  expect(requests).toBe(entries.length);
  expect(leftOut).toEqual({});
});

test('a body that is not recorded is not compared, but the status is', async () => {
  const changed = entries.map(withBody(() => ({ text: '', size: 7886 })));
  const wrong = changed.map((entry, at) => {
    const { response, ...rest } = entry as Entry;
    return at === 4 ? { ...rest, response: { ...response, status: 404 } } : entry;
  });
  const { findings } = await replayEntries(wrong);
  expect(findings.map(({ at, entry }) => [at, entry])).toEqual([['status', 5]]);
});

/** Returns each request as Chromium has it behind a service worker: that of the page, and that of the worker. */
function behindWorker(all: readonly Entry[], source: string): object[] {
  return all.flatMap((entry) => [
    { ...entry, time: 20, _fetchedViaServiceWorker: true, _serviceWorkerResponseSource: source },
    { ...entry, time: 10 },
  ]);
}

test('a request that a service worker has passed on is sent once', async () => {
  const { findings, requests, leftOut } = await replayEntries(behindWorker(entries, 'network'));
  expect([findings, requests]).toEqual([[], 5]);
  expect(leftOut).toEqual({ 'sent once more by a service worker': 5 });
});

test('a request that a service worker has answered itself is sent', async () => {
  const answered = behindWorker(entries, 'fallback-code').filter((_, at) => at % 2 === 0);
  expect(await replayEntries(answered)).toMatchObject({ findings: [], requests: 5, leftOut: {} });
});

test('equal requests that no service worker has passed on are all sent', async () => {
  const read = entries.at(-1);
  expect(await replayEntries([read, read, read])).toMatchObject({ findings: [], requests: 3 });
});

test('an entry that cannot be read is left out with its place and the reason', async () => {
  const [entry] = entries;
  const broken = [
    { ...entry, request: { ...entry?.request, url: undefined } },
    { ...entry, request: { ...entry?.request, url: 'no URL' } },
    { ...entry, request: { ...entry?.request, method: 7 } },
    { ...entry, response: { ...entry?.response, status: 'fine' } },
    { ...entry, response: null },
    { ...entry, response: {} },
    null,
  ];
  const { findings, leftOut } = await replayEntries([...entries, ...broken]);
  expect(findings).toEqual([]);
  expect(leftOut).toEqual({
    'that cannot be read: request.url is missing (entries 6, 12)': 2,
    'that cannot be read: request.url is not a URL (entry 7)': 1,
    'that cannot be read: request.method is not a method (entry 8)': 1,
    'that cannot be read: response.status is not a status (entry 9)': 1,
    'that cannot be read: response.status is missing (entries 10, 11)': 2,
  });
});

test('a recording of which no entry can be read says what they lack, and not another path', async () => {
  const broken = entries.map((entry) => ({ ...entry, response: undefined }));
  await expect(replayEntries(broken)).rejects.toThrow(
    /^shop\.har has 5 entries, and none is a request of this API below \/api\. Left out: 5 that cannot be read: response\.status is missing \(entries 1, 2, 3 and 2 more\)\.$/,
  );
});

/** Returns an entry with a compressed body. */
function body(text: string): unknown {
  const change = withBody(() => ({ text: gzipSync(text).toString('base64'), encoding: 'base64' }));
  return change(entries.at(-1)!);
}

test('an entry that is no object counts, wherever a piece of the upload ends', async () => {
  const text = `{"log":{"entries":[null, 12,"a,b",[],${JSON.stringify(entries.at(-1))},"",{}]}}`;
  const bytes = Buffer.from(text);
  for (const size of [1, 7, 4096]) {
    const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => at * size);
    const chunks = starts.map((at) => bytes.subarray(at, at + size));
    const recording = { ...receivedRecording([]), chunks };
    expect(await replayRecording(recording, { api: storeApi })).toMatchObject({
      requests: 1,
      leftOut: { 'that cannot be read: request.url is missing (entries 1, 2, 3 and 3 more)': 6 },
    });
  }
});

test('a recording of more entries than a server reads names the command that replays it', async () => {
  const all = Array.from({ length: 50_001 }, () => ({}));
  await expect(replayEntries(all)).rejects.toThrow(
    'shop.har has more than 50,000 entries. Replay it by the command: npx backlot replay shop.har.',
  );
});

test('a body that is too large, or nested too deep, is left out with the reason', async () => {
  const { leftOut } = await replayEntries([
    ...entries,
    body('x'.repeat(5_000_000)),
    body('['.repeat(200)),
    body(`[${'1,'.repeat(200_000)}1]`),
  ]);
  expect(leftOut).toEqual({
    'with a body larger than 1 MiB': 1,
    'with a body that is nested more than 100 levels deep': 1,
    'with a body that has more than 50,000 values': 1,
  });
});

test('others have their turn before each entry is read, also before the first one is replayed', async () => {
  let turns = 0;
  const elsewhere = entries.map((entry) => ({
    ...entry,
    request: { ...entry.request, url: 'https://cdn.test/' },
  }));
  const recording = receivedRecording(elsewhere, 'shop.har', () =>
    Promise.resolve(void (turns += 1)),
  );
  await expect(replayRecording(recording, { api: storeApi })).rejects.toThrow(
    'none is a request of this API',
  );
  expect(turns).toBeGreaterThanOrEqual(5);
});

test('a form with more brackets than are accepted is sent as it is', async () => {
  const text = `card${'[a]'.repeat(9)}=***`;
  const [entry] = entries;
  const request = {
    ...entry?.request,
    postData: { mimeType: 'application/x-www-form-urlencoded', text },
  };
  const refused = { ...entry, request: { ...request, headers: [] } };
  const { findings } = await replayEntries([refused]);
  expect(findings.map(({ at, expected }) => [at, expected.slice(0, 4)])).toEqual([
    ['status', '400:'],
  ]);
});

test('a report has no URL of more than 1,000 characters', async () => {
  const read = entries.at(-1)!;
  const url = `https://shop.test/api/users/3?a=${'x'.repeat(60_000)}`;
  const longer = `https://shop.test/api/users/3?a=${'x'.repeat(70_000)}`;
  const replayed = await replayEntries([
    { ...read, request: { ...read.request, url }, response: { ...read.response, status: 404 } },
    { ...read, request: { ...read.request, url: longer } },
  ]);
  expect(replayed.leftOut).toEqual({ 'with a URL of more than 65,536 characters': 1 });
  const lengths = textReport([replayed])
    .split('\n')
    .map((line) => line.length);
  expect(Math.max(...lengths)).toBeLessThan(1100);
});
