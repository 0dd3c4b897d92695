import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as zlib from 'node:zlib';
import express from 'express';
import { setupServer } from 'msw/node';
import { afterEach, expect, test, vi } from 'vitest';
import { createExpressRouter, openBackOffice } from '../../src/mounts/express.ts';
import { createFetchHandler } from '../../src/mounts/fetch-handler.ts';
import { createBackOffice } from '../../src/mounts/node.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly name?: string; readonly message?: string };
}

type Send = (coding: string, body: Uint8Array<ArrayBuffer> | string) => Promise<Answered>;
/** It has what all browsers have. */
const page = 'a host without Node.js';
const settings = { maxBodyBytes: 50_000 };
const url = 'http://localhost/api/stock-locations/';

function sendBy(fetch: (request: Request) => Promise<Response>, address = url): Send {
  return async (coding, body) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': coding };
    const response = await fetch(new Request(address, { method: 'POST', headers, body }));
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Answered['body'],
    };
  };
}

const mounts: Readonly<Record<string, (use: (send: Send) => Promise<void>) => Promise<void>>> = {
  'office.fetch': (use) => use(sendBy(createBackOffice({ settings }).fetch)),
  listen: async (use) => {
    using office = createBackOffice({ settings });
    office.listen();
    await use(sendBy(fetch, 'https://shop.test/api/stock-locations/'));
  },
  'handlers of msw': async (use) => {
    const server = setupServer(...createBackOffice({ settings }).handlers);
    server.listen();
    try {
      await use(sendBy(fetch));
    } finally {
      server.close();
    }
  },
  createFetchHandler: (use) => use(sendBy(createFetchHandler({ settings }))),
  'Express, a server': async (use) => {
    const app = express().use(createExpressRouter(openBackOffice({ settings })));
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      await use(sendBy(fetch, `http://127.0.0.1:${port}/api/stock-locations/`));
    } finally {
      server.close();
      server.closeAllConnections();
    }
  },
  [page]: async (use) => {
    vi.stubGlobal('process', undefined);
    await use(sendBy(createBackOffice({ settings }).fetch));
  },
};

type Pack = (content: Uint8Array) => Uint8Array;
const packs: Readonly<Record<string, Pack>> = {
  gzip: zlib.gzipSync,
  'X-GZip': zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: zlib.brotliCompressSync,
  identity: (content) => content,
  'gzip, br': (content) => zlib.brotliCompressSync(zlib.gzipSync(content)),
  'identity , deflate,gzip': (content) => zlib.gzipSync(zlib.deflateSync(content)),
};

let count = 0;

function packed(pack: Pack, name = 'Zoë 😀'): Uint8Array<ArrayBuffer> {
  count += 1;
  return new Uint8Array(
    pack(new TextEncoder().encode(JSON.stringify({ code: `C${count}`, name }))),
  );
}

test.each(Object.keys(mounts))('%s decodes a body by its content codings', async (mount) => {
  await mounts[mount]!(async (send) => {
    for (const [coding, pack] of Object.entries(packs)) {
      if (coding.includes('br') && mount === page) continue;
      const { status, body } = await send(coding, packed(pack));
      expect({ coding, status, name: body.name }).toEqual({ coding, status: 201, name: 'Zoë 😀' });
    }
  });
});

test.each(Object.keys(mounts))(
  '%s refuses a body that it cannot decode, and says why',
  async (mount) => {
    await mounts[mount]!(async (send) => {
      const accepted = mount === page ? 'gzip, deflate' : 'gzip, deflate, br, zstd';
      for (const coding of ['compress', 'gzip, compress', 'aws-chunked']) {
        const { status, headers, body } = await send(coding, packed(zlib.gzipSync));
        expect({ coding, status }).toEqual({ coding, status: 415 });
        expect(headers.get('accept-encoding')).toBe(accepted);
        expect(body.message).toContain('is not supported; send gzip, deflate');
      }
      const many = await send('gzip, gzip, gzip, gzip, gzip', packed(zlib.gzipSync));
      expect([many.status, many.body.message]).toEqual([
        415,
        expect.stringContaining('it has 5 content codings, at most 4 are accepted'),
      ]);
      for (const coding of ['gzip', 'deflate', 'gzip, deflate']) {
        const { status, body } = await send(
          coding,
          packed((content) => content),
        );
        const name = coding.split(', ').at(-1);
        expect({ coding, status, message: body.message }).toEqual({
          coding,
          status: 400,
          message: `The body cannot be read: it is not valid ${name}.`,
        });
      }
      const cut = await send('gzip', packed(zlib.gzipSync).slice(0, -9));
      expect(cut.status).toBe(400);
    });
  },
);

test.each(Object.keys(mounts))('%s limits a body before and after it is decoded', async (mount) => {
  await mounts[mount]!(async (send) => {
    const bomb = new Uint8Array(zlib.gzipSync(new Uint8Array(5_000_000)));
    const twice = new Uint8Array(zlib.deflateSync(bomb));
    for (const [coding, body] of [
      ['gzip', bomb],
      ['gzip, deflate', twice],
      ['gzip', new Uint8Array(50_001)],
      ['identity', new Uint8Array(50_001)],
    ] as const) {
      const { status, body: told } = await send(coding, body);
      expect([status, told.message]).toEqual([413, 'The body is larger than 50000 bytes.']);
    }
    expect((await send('gzip', '')).status).toBe(400);
    expect((await send('compress', '')).body.message).toBe('Validation Failed');
  });
});

test('a body that breaks off is an error of the client, and nothing is written', async () => {
  const office = createBackOffice();
  const handle = createFetchHandler();
  for (const send of [office.fetch, handle]) {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"code":'));
        controller.error(new Error('reset'));
      },
    });
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      duplex: 'half',
    };
    const response = await send(new Request(url, init));
    expect([response.status, await response.json()]).toEqual([
      400,
      { code: 400, message: 'The body cannot be read: it ended before it was complete.' },
    ]);
  }
});

test('a request whose body was read before rejects, because the caller has read it', async () => {
  const request = new Request(url, { method: 'POST', body: '{}' });
  await request.text();
  await expect(createFetchHandler()(request)).rejects.toThrow(TypeError);
});

test('a server decodes zstd', async () => {
  await mounts['Express, a server']!(async (send) => {
    expect((await send('zstd', packed(zlib.zstdCompressSync))).status).toBe(201);
  });
});
