import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import axios from 'axios';
import express from 'express';
import { setupServer } from 'msw/node';
import { createExpressRouter } from '../../src/mounts/express.ts';
import { createBackOffice, type MountOptions } from '../../src/mounts/node.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import { readBody } from '../../src/engine/rest/body.ts';
import { converse, type Send, type Turn } from '../support/conversation.ts';

/** Calls the core without an adapter. */
export function plain(options: MountOptions = {}): Send {
  const backOffice = openStoreOffice(options);
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
      return createBackOffice(options).fetch(url, init);
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

type Mount = (options?: MountOptions) => Promise<Turn[]>;

/** The conversation over each mount. */
export const mounts: Readonly<Record<string, Mount>> = {
  'backOffice.fetch': (options) => {
    const backOffice = createBackOffice(options);
    return over((url, init) => backOffice.fetch(url, init), options);
  },
  'msw, one handler for each endpoint': async (options) => {
    const server = setupServer(...createBackOffice(options).handlers);
    server.listen();
    try {
      return await over(fetch, options);
    } finally {
      server.close();
    }
  },
  'backOffice.listen, fetch': async (options) => {
    using backOffice = createBackOffice(options);
    backOffice.listen();
    return await over(fetch, options);
  },
  'backOffice.listen, fetch alone': async (options) => {
    using backOffice = createBackOffice(options);
    backOffice.listen({ clients: 'fetch' });
    return await over(fetch, options);
  },
  'backOffice.listen, axios': async (options) => {
    using backOffice = createBackOffice(options);
    backOffice.listen();
    return await over(byAxios, options);
  },
};

/** The same over servers. A page of jsdom or happy-dom does not reach those of other origins. */
export const servers: typeof mounts = {
  'Express, over a socket': (options) =>
    served(express().use(createExpressRouter(openStoreOffice(options))), options),
  'Express, after body parsers of others': (options) =>
    served(
      express()
        .use(express.urlencoded({ extended: true }))
        .use(createExpressRouter(openStoreOffice(options))),
      options,
    ),
};

function over(send: Send, { apiPath }: MountOptions = {}, base?: string): Promise<Turn[]> {
  return converse(send, base, apiPath);
}

async function served(app: express.Express, options: MountOptions = {}): Promise<Turn[]> {
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    return await over(fetch, options, `http://127.0.0.1:${port}`);
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
