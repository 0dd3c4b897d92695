import { createServer, type RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { controls, json, page } from '../support/hostile.ts';
import { expectQuiet, runMeasured } from './measured.ts';
import { listen } from '../support/raw-http.ts';

/** Almost as much as a body may have. */
const longTexts = Array.from({ length: 40 }, (_, id) => ({ id, name: 'x'.repeat(50_000) }));

const bomb = gzipSync(Buffer.alloc(200_000_000, ' '));

type Unreadable = [name: string, listener: RequestListener, sentence: RegExp, timeout?: string];

/** Servers that cannot be checked, and what `verify` says of them. */
const unreadable: readonly Unreadable[] = [
  [
    'nests lists 100,000 levels deep',
    json('['.repeat(1e5) + ']'.repeat(1e5)),
    /nested more than 100/,
  ],
  [
    'nests objects 100,000 levels deep',
    json('{"a":'.repeat(1e5) + '1' + '}'.repeat(1e5)),
    /nested more than 100/,
  ],
  [
    'sends half a million empty lists',
    json(`[${'[],'.repeat(5e5)}[]]`),
    /has more than 100,000 values\.$/,
  ],
  ['sends 100,000 links', json(linked(100_000)), /larger than 2 MiB\.$/],
  [
    'sends 200 MB compressed',
    (_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(bomb),
    /larger than 2 MiB\.$/,
  ],
  [
    'sends a byte now and then',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 50);
      response.once('close', () => clearInterval(timer));
    },
    /did not respond to GET \/api\/channels\/ within 1 s\.$/,
    '1',
  ],
  [
    'redirects to another host',
    (_, response) =>
      response.writeHead(302, { location: `http://127.0.0.2:1/${'x'.repeat(9)}` }).end(),
    /redirects to http:\/\/127\.0\.0\.2:1\/x+\. Pass that URL\.$/,
  ],
  ['has control characters in its error', json({ message: controls, [controls]: 1 }, 404), /\.$/],
];

/** Servers whose responses are as large as a check accepts. */
const large: readonly [name: string, body: object][] = [
  ['40,000 records', page(Array.from({ length: 40_000 }, (_, id) => ({ id: id + 1 })))],
  ['as many links as a body may have', linked(19_900)],
  ['texts as long as a body may have', page(longTexts)],
];

/** A page with this number of records, each with a link of its own. */
function linked(count: number): object {
  const start = `/api/${'x'.repeat(30)}`;
  const hrefOf = (at: number): string => start + at.toString(2).replaceAll('0', 'o');
  return page(
    Array.from({ length: count }, (_, id) => ({ id, _links: { self: { href: hrefOf(id) } } })),
  );
}

/** The program has a minute: on a busy machine, it may need seconds to decompress 200 MB. */
async function expectUnreadable([, listener, sentence, timeout = '60']: Unreadable): Promise<void> {
  const url = await listen(createServer(listener));
  const ended = await runMeasured('verify', '--against', url, '--timeout', timeout);
  expect(ended.err.trimEnd()).toMatch(sentence);
  expect(ended.err.split('\n')).toHaveLength(2);
  expect(ended).toMatchObject({ code: 2, out: '' });
  expectQuiet(ended);
}

test.for(unreadable)(
  'verify ends with exit code 2 and one line at a server that %s',
  { tags: 'long' },
  expectUnreadable,
);

test.for(large)(
  'verify stays small at a server that sends %s, with exit code 1',
  { tags: 'long' },
  async ([, body]) => {
    const url = await listen(createServer(json(body)));
    const ended = await runMeasured('verify', '--against', url);
    expect(ended, ended.err).toMatchObject({ code: 1, err: '' });
    expectQuiet(ended);
  },
);
