import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import axios from 'axios';
import express from 'express';
import { setupServer } from 'msw/node';
import { expect, test } from 'vitest';
import { createExpressRouter } from '../../src/adapters/express.ts';
import { createBackOffice } from '../../src/adapters/node.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import { readBody } from '../../src/rest/body.ts';
import { converse, type Send, type Turn } from '../support/conversation.ts';

/** Calls the core without an adapter. */
function plain(): Send {
  const backOffice = openStoreOffice();
  return async (url, init) => {
    const request = new Request(url, init);
    const bytes = new Uint8Array(await request.arrayBuffer());
    const sentHeaders = Array.from(request.headers, ([name, value]) => [name.toLowerCase(), value]);
    const headers: Record<string, string> = Object.fromEntries(sentHeaders);
    const { method } = request;
    let body: Awaited<ReturnType<typeof readBody>>;
    try {
      body = await readBody(bytes, headers['content-type'] ?? '');
    } catch {
      return createBackOffice().fetch(url, init);
    }
    const answer = backOffice.answer({ method, url, headers, body });
    const text = answer.body ?? answer.bodyOfGet;
    const length = text !== undefined && {
      'content-length': String(new TextEncoder().encode(text).length),
    };
    // Adapters add these headers to every response of the core.
    const sent = { ...answer.headers, ...length, 'x-content-type-options': 'nosniff' };
    return new Response(answer.body ?? null, { status: answer.status, headers: sent });
  };
}

const mounts: Record<string, () => Promise<Turn[]>> = {
  'backOffice.fetch': () => {
    const backOffice = createBackOffice();
    return converse((url, init) => backOffice.fetch(url, init));
  },
  'msw, one handler for each endpoint': async () => {
    const server = setupServer(...createBackOffice().handlers);
    server.listen();
    try {
      return await converse(fetch);
    } finally {
      server.close();
    }
  },
  'backOffice.listen, fetch': async () => {
    using backOffice = createBackOffice();
    backOffice.listen();
    return await converse(fetch);
  },
  'backOffice.listen, fetch alone': async () => {
    using backOffice = createBackOffice();
    backOffice.listen({ clients: 'fetch' });
    return await converse(fetch);
  },
  'backOffice.listen, axios': async () => {
    using backOffice = createBackOffice();
    backOffice.listen();
    return await converse(byAxios);
  },
};

/** A page of jsdom or happy-dom does not reach servers of other origins. */
const servers: typeof mounts = {
  'Express, over a socket': () => served(express().use(createExpressRouter(openStoreOffice()))),
  'Express, after body parsers of others': () =>
    served(
      express()
        .use(express.urlencoded({ extended: true }))
        .use(createExpressRouter(openStoreOffice())),
    ),
};

const wanted = await converse(plain());

/** happy-dom sends a preflight before each request, and MSW 3 receives it like any other OPTIONS. */
function comparable(turns: Turn[]): Turn[] {
  return turns.filter(({ line }) => !('happyDOM' in globalThis && line.startsWith('OPTIONS ')));
}

test('the conversation covers the contract', () => {
  const statuses = wanted.map(({ status }) => status);
  expect([...new Set(statuses)].toSorted((a, b) => a - b)).toEqual([
    200, 201, 204, 400, 404, 405, 413, 415,
  ]);
  expect(wanted.findLast(({ line }) => line.startsWith('GET /api/orders/last'))?.text).toContain(
    '"checkout_state":"completed"',
  );
});

const tried = 'document' in globalThis ? mounts : { ...mounts, ...servers };

test.each(Object.entries(tried))(
  '%s returns the responses of the core byte for byte',
  async (_, mount) => {
    expect(comparable(await mount())).toEqual(comparable(wanted));
  },
);

async function served(app: express.Express): Promise<Turn[]> {
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await converse(fetch, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const byAxios: Send = async (url, { method = 'GET', body, headers }) => {
  const {
    status,
    data,
    headers: answered,
  } = await axios.request<string>({
    url,
    method,
    data: body,
    ...(headers !== undefined && { headers: headers as Record<string, string> }),
    responseType: 'text',
    transformResponse: [],
    transformRequest: [
      (sent: unknown, given) => {
        if (sent instanceof URLSearchParams) {
          given.setContentType('application/x-www-form-urlencoded;charset=utf-8');
          return sent.toString();
        }
        return sent instanceof Uint8Array ? Buffer.from(sent) : sent;
      },
    ],
    validateStatus: () => true,
  });
  const names = ['content-type', 'content-length', 'allow', 'location', 'x-content-type-options'];
  const known = names.flatMap((name): [string, string][] =>
    typeof answered[name] === 'string' ? [[name, answered[name]]] : [],
  );
  return new Response(data === '' ? null : data, { status, headers: known });
};
