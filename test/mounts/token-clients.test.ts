import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpServer } from '../../src/mounts/server/server.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import { openSessions } from '../../src/engine/sessions/server.ts';
import { read } from '../support/tree.ts';

/** The requests for a token that a client sends by its own defaults. */
interface TokenClient {
  readonly client: string;
  /** The request for the password grant. */
  readonly password: string;
  /** The request that refreshes the token; `{refresh_token}` stands for its 43 characters. */
  readonly refresh: string;
}

/** The file says of each client where its bytes come from: recorded, or from files of its source. */
const tokenClients: readonly TokenClient[] = read('test/mounts/token-clients.txt')
  .split(/^### /m)
  .slice(1)
  .map((part) => {
    const [, client = '', requests = ''] = /^(.+?): .*\n([^]*)\n$/.exec(part) ?? [];
    const [password = '', refresh = ''] = requests.replaceAll('\n', '\r\n').split('\r\n---\r\n');
    return { client, password, refresh };
  });

let server: Server;

beforeAll(async () => {
  const sessions = openSessions(openStoreOffice({ scenario: 'authenticated' }));
  server = createHttpServer(sessions).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

test.each(tokenClients)('$client gets a token, uses it and refreshes it', async (recorded) => {
  const { status, body } = await send(recorded.password);
  expect({ status, body }).toMatchObject({ status: 200, body: { token_type: 'bearer' } });
  expect((await send(reading(body.access_token))).status).toBe(200);
  const refreshed = await send(recorded.refresh.replace('{refresh_token}', body.refresh_token));
  expect(refreshed.status).toBe(200);
  expect(refreshed.body.access_token).not.toBe(body.access_token);
  expect((await send(reading(refreshed.body.access_token))).status).toBe(200);
});

test.each(tokenClients)('$client with a wrong secret gets invalid_client', async ({ password }) => {
  const wrong = password
    .replace('secret_demo_client', 'secret_demo_cliens')
    .replace(/Basic \S+/i, `Basic ${btoa('demo_client:another_client')}`);
  expect(wrong).not.toBe(password);
  expect(await send(wrong)).toEqual({
    status: 400,
    body: { error: 'invalid_client', error_description: 'The client credentials are invalid' },
  });
});

test.each(tokenClients)(
  'the length of each request of $client is the one it states',
  (recorded) => {
    for (const request of [recorded.password, recorded.refresh]) {
      const sent = request.replace('{refresh_token}', 'x'.repeat(43));
      const [head = '', body = ''] = sent.split('\r\n\r\n');
      expect(Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)).toBe(body.length);
    }
  },
);

function reading(token: string): string {
  return `GET /api/users/1 HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`;
}

interface Received {
  readonly status: number;
  readonly body: Readonly<Record<string, string>> & {
    readonly access_token: string;
    readonly refresh_token: string;
  };
}

/** Writes the bytes of a request to a connection of its own. Returns its response. */
async function send(request: string): Promise<Received> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(request);
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) {
    text += String(chunk);
    const [head = '', body] = text.split('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    if (body !== undefined && Buffer.byteLength(body) >= length) {
      return { status: Number(head.split(' ')[1]), body: JSON.parse(body) as Received['body'] };
    }
  }
  throw new Error(`The connection closed after ${JSON.stringify(text)}`);
}
