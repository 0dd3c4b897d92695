import { Duplex } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { createHttpServer } from '../../src/adapters/http/server.ts';
import { openServer } from '../support/server.ts';

/** A connection with one request, whose server writes the response at once. */
class Connection extends Duplex {
  readonly #onResponse: (status: string) => void;

  constructor(request: string, onResponse: (status: string) => void) {
    super();
    this.#onResponse = onResponse;
    this.push(request);
  }

  override _read(): void {}

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.#onResponse(chunk.toString('latin1', 9, 12));
    done();
  }
}

test('exports and imports that arrive together take turns with all other requests, and clients with each other', async () => {
  const { sessions, call } = openServer({ requestRate: 20 });
  const file = JSON.stringify(call('GET /_backlot/export').body);
  const server = createHttpServer(sessions, { proxies: 1 });
  const answered = new Map<string, string>();
  const noteOnce = (name: string, status: string): void => {
    if (!answered.has(name)) answered.set(name, status);
  };
  const send = (name: string, client: string, line: string, body = ''): void => {
    const head = `host: localhost\r\nx-forwarded-for: ${client}\r\ncontent-type: application/json`;
    const text = `${line} HTTP/1.1\r\n${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    server.emit('connection', new Connection(text, (status) => noteOnce(name, status)));
  };
  for (const at of [1, 2, 3]) send(`export ${at}`, '192.0.2.1', 'GET /_backlot/export');
  send('import 4', '192.0.2.1', 'POST /_backlot/import', file);
  send('export of another client', '192.0.2.2', 'GET /s/bob/_backlot/export');
  send('read', '192.0.2.3', 'GET /s/cem/api/orders/1');
  await vi.waitFor(() => expect(answered.size).toBe(6));
  expect([...answered]).toEqual([
    ['export 1', '200'],
    ['read', '200'],
    ['export 2', '200'],
    ['export of another client', '200'],
    ['export 3', '200'],
    ['import 4', '200'],
  ]);
});
