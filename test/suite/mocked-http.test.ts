import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import http, { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ClientSeam } from '../../src/suite/client-seam.ts';
import { endpointNames } from '../../src/suite/endpoint-names.ts';
import { nodeClients } from '../../src/suite/node/node-clients.ts';
import { nodeContexts } from '../../src/suite/node-contexts.ts';
import { WatchedRun } from '../../src/suite/watched-run.ts';

test('a request is watched that ends when a mock calls back for its part', async () => {
  const server = createServer((_, response) => void response.end('{}')).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const send = http.request;
  using _mock = vi.spyOn(http, 'request').mockImplementation((url) => {
    const request = send(url, { method: 'POST' });
    const write = request.write.bind(request);
    const inOwnContext = AsyncLocalStorage.snapshot();
    request.write = (chunk: string, onWritten: unknown) => {
      inOwnContext(() => setImmediate(onWritten as () => void));
      return write(chunk);
    };
    return request;
  });
  const run = new WatchedRun();
  const seam = new ClientSeam(() => run, endpointNames(), nodeContexts(), nodeClients);
  seam.watch();
  onTestFinished(() => seam.restore());
  const { port } = server.address() as AddressInfo;
  const request = http.request(`http://127.0.0.1:${port}/todos/7`);
  request.write('one', () => request.end());
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  expect(await text(response)).toBe('{}');
  expect(run.plain(undefined)).toMatchObject({ calls: ['POST /todos/:id'], statuses: [200] });
});
