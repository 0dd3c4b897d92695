import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpServer } from '../../src/mounts/server/server.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import { openSessions } from '../../src/engine/sessions/server.ts';

let server: Server;

beforeAll(async () => {
  server = createHttpServer(openSessions(openStoreOffice()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => server.close());

interface Received {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Reads the bytes as they were sent. */
async function get(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Received> {
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, host: '127.0.0.1', path, headers, method }).end();
  const [response] = await once(sent, 'response');
  const body = Buffer.concat(await response.toArray());
  return { status: response.statusCode, headers: response.headers, body };
}

test.each([
  '/_backlot/openapi.json',
  '/_backlot/studio.js',
  '/_backlot/studio.css',
  '/_backlot/tables/orders?limit=200',
])(
  '%s is compressed for a client that accepts it, and not sent again to one that has it',
  async (path) => {
    const plain = await get(path);
    expect(plain.headers['content-encoding']).toBeUndefined();
    const zipped = await get(path, { 'accept-encoding': 'gzip, br' });
    expect(zipped.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': String(zipped.body.length),
      'content-type': plain.headers['content-type'],
      vary: expect.stringContaining('Accept-Encoding'),
    });
    expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true);
    expect(zipped.body.length).toBeLessThan(plain.body.length * 0.4);
    const tag = zipped.headers.etag ?? '';
    expect(plain.headers.etag).toBe(tag);
    const again = await get(path, { 'accept-encoding': 'gzip', 'if-none-match': tag });
    expect(again).toMatchObject({ status: 304, body: Buffer.alloc(0) });
    expect((await get(path, { 'accept-encoding': 'gzip;q=0' })).body.equals(plain.body)).toBe(true);
  },
);

test('responses of the store API are not compressed', async () => {
  const { headers, body } = await get('/api/orders/?limit=50', { 'accept-encoding': 'gzip' });
  expect(body.length).toBeGreaterThan(10_000);
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers.etag).toBeUndefined();
});

test.each(['/_backlot/inter.css', '/_backlot/openapi.json'])(
  'HEAD %s has the ETag of GET, and status 304 for a client that has it',
  async (path) => {
    const { etag = '' } = (await get(path)).headers;
    const head = await get(path, {}, 'HEAD');
    expect(head).toMatchObject({ status: 200, headers: { etag }, body: Buffer.alloc(0) });
    expect((await get(path, { 'if-none-match': etag }, 'HEAD')).status).toBe(304);
  },
);
