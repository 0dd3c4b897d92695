import { expect, test } from 'vitest';
import { openSessions } from '../../src/mounts/express.ts';
import { createFetchHandler } from '../../src/mounts/fetch-handler.ts';
import { createBackOffice } from '../../src/mounts/node.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';

type Status = (path: string) => Promise<number>;

const mounts: Readonly<Record<string, () => Status>> = {
  'office.fetch': () => {
    const { fetch } = createBackOffice();
    return async (path) => (await fetch(`http://shop.test${path}`)).status;
  },
  'office.fetch of a Request': () => {
    const { fetch } = createBackOffice();
    return async (path) => (await fetch(new Request(`http://shop.test${path}`))).status;
  },
  listen: () => async (path) => {
    using office = createBackOffice();
    office.listen();
    return (await fetch(`https://shop.test${path}`)).status;
  },
  createFetchHandler: () => {
    const handle = createFetchHandler();
    return async (path) => (await handle(new Request(`http://localhost${path}`))).status;
  },
  'a server': () => {
    const server = openSessions(openStoreOffice(), {
      milliseconds: () => 0,
      newName: () => 'any',
    });
    return (url) =>
      Promise.resolve(server.answer({ method: 'GET', url, headers: {}, client: undefined }).status);
  },
};

test.each(Object.keys(mounts))(
  '%s takes escapes that a path does not need for their letters',
  async (mount) => {
    const statusOf = mounts[mount]!();
    for (const [path, status] of [
      ['/api/%6Frders/1', 200],
      ['/%61pi/orders/%31', 200],
      ['/api/stock%2Dlocations/1', 200],
      ['/api/stock%2dlocations/1?%6cimit=1', 200],
      ['/api/orders%2F1', 404],
      ['/api/orders/%2531', 404],
      ['/api/orders/%zz', 404],
      ['/api/orders/%FF', 404],
      ['/%5Fbacklot/clock', 200],
      ['/_backlot/tables/%75sers', 200],
    ] as const) {
      expect({ path, status: await statusOf(path) }).toEqual({ path, status });
    }
  },
);

test.each(['createFetchHandler', 'a server'])(
  '%s finds a session in an escaped path',
  async (mount) => {
    const statusOf = mounts[mount]!();
    expect(await statusOf('/s/%61da/api/%6Frders/1')).toBe(200);
    expect(await statusOf('/%73/ada/%5Fbacklot/clock')).toBe(200);
  },
);

test('a fault and the journal know a request by its path without escapes', async () => {
  const office = createBackOffice();
  office.faults.add({ match: { path: '/api/orders/1' }, status: 503 });
  expect((await office.fetch('/api/%6Frders/1')).status).toBe(503);
  expect(office.journal.count('GET /api/orders/:id')).toBe(1);
});
