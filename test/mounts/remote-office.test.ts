import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, expectTypeOf, onTestFinished, test } from 'vitest';
import { createHttpServer } from '../../src/mounts/server/server.ts';
import { remoteOffice, type RemoteOffice } from '../../src/mounts/remote/office.ts';
import { Problem } from '../../src/engine/lib/problem.ts';
import { createBackOffice } from 'backlot/node';
import { company } from '../support/company-api.ts';
import { openServer } from '../support/server.ts';

const { sessions } = openServer({ sessions: 'required' });
const http = createHttpServer(sessions);
let url = '';
let count = 0;

beforeAll(async () => {
  await once(http.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});

afterAll(() => {
  http.close();
  http.closeAllConnections();
});

function open(): RemoteOffice {
  return remoteOffice({ url, session: `test-${(count += 1)}` });
}

test('given creates the same records over HTTP as in the process', async () => {
  const [remote, local] = [open(), createBackOffice()];
  expect(await remote.given.aUser()).toEqual(local.given.aUser());
  const product = { name: 'Mug', stock: 3 };
  expect(await remote.given.aProduct(product)).toEqual(local.given.aProduct(product));
  expect(await remote.given.aStockLocation()).toEqual(local.given.aStockLocation());
  expect(await remote.given.aChannel()).toEqual(local.given.aChannel());
  expect(await remote.given.aCoupon()).toEqual(local.given.aCoupon());
  const order = { at: 'payment', items: [{ variant: 7, quantity: 2 }] } as const;
  expect(await remote.given.anOrder(order)).toEqual(local.given.anOrder(order));
  expect(await remote.journal.entries()).toEqual([]);
});

test('given creates records of a definition over HTTP, as in the process', async () => {
  const own = createHttpServer(openServer({ api: company }).sessions);
  onTestFinished(() => void own.close());
  await once(own.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(own.address() as AddressInfo).port}`;
  const { given } = remoteOffice<typeof company>({ url: address, session: 'ada' });
  const local = createBackOffice({ api: company });
  const wishlist = await given.aWishlist({ variants: [7] });
  expectTypeOf(wishlist.variants).toEqualTypeOf<readonly number[]>();
  expect(wishlist).toEqual(local.given.aWishlist({ variants: [7] }));
  // Promises ask whether it is one of them.
  expect(given).not.toHaveProperty('then');
});

test('rejected set-up has the same message over HTTP as in the process', async () => {
  const [remote, local] = [open(), createBackOffice()];
  const failed = await remote.given.aUser({ email: 'x' }).catch((error: unknown) => error);
  expect(() => local.given.aUser({ email: 'x' })).toThrow((failed as Problem).message);
  await expect(remote.given.anOrder({ at: 'shipped' } as never)).rejects.toThrow(
    '`at` must be one of cart',
  );
});

test('a failed verification has the same message over HTTP as in the process', async () => {
  const [remote, local] = [open(), createBackOffice()];
  for (const office of [remote, local]) await office.fetch('/api/users/1');
  const wanted = ['PUT /api/users/:user_id', { times: 2 }] as const;
  const failed = await remote.journal.verify(...wanted).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(Problem);
  expect(failed).toMatchObject({ kind: 'refused' });
  expect(() => local.journal.verify(...wanted)).toThrow((failed as Problem).message);
  await remote.journal.verify('GET /api/users/:user_id', { times: 1 });
});

test('an invalid filter has the issues of the server', async () => {
  const failed = open().journal.count({ request: 'PUT /api/nothing' });
  await expect(failed).rejects.toMatchObject({ kind: 'invalid', fields: [{ path: ['request'] }] });
});

test('the clock, the script, faults, the journal and snapshots of a session can be used', async () => {
  const office = open();
  await office.clock.advance('P1D');
  expect(await office.clock.now()).toBe('2026-03-03T09:00:00+0000');
  const { id } = await office.faults.add({ status: 503 });
  expect((await office.fetch('/api/users/1')).status).toBe(503);
  await office.faults.remove(id);
  expect(await office.faults.list()).toEqual([]);
  await office.given.theScript({ on: 'purchase', outcome: 'declined' });
  expect(await office.script.list()).toMatchObject([{ outcome: 'declined' }]);
  expect(await office.journal.count()).toBe(1);
  await office.snapshot('before');
  await office.given.aUser({ firstName: 'Grace' });
  await office.restore('before');
  expect((await office.journal.waitFor({ status: 503 })).url).toBe('/api/users/1');
  await office.journal.clear();
  expect([await office.journal.count(), await office.journal.dropped()]).toEqual([0, 0]);
  await office.reset('empty', { seed: 7 });
  expect(await office.export()).toMatchObject({ scenario: 'empty', seed: 7 });
});

test('closing deletes the session, also one without a request', async () => {
  const [used, unused] = [open(), open()];
  await used.fetch('/api/users/1');
  expect(sessions.sessions.peek(used.session)).toBeDefined();
  await Promise.all([used.close(), unused.close()]);
  expect(sessions.sessions.peek(used.session)).toBeUndefined();
});

test('a server that cannot be reached is named', async () => {
  const office = remoteOffice({ url: 'http://127.0.0.1:9', session: 'ada' });
  await expect(office.journal.count()).rejects.toThrow(
    'No response from Backlot at http://127.0.0.1:9.',
  );
});

test('explanations are the same over HTTP as in the process', async () => {
  const [remote, local] = [open(), createBackOffice()];
  for (const office of [remote, local]) {
    const body = new URLSearchParams({ email: 'x' });
    const headers = { 'user-agent': 'shop-web' };
    await office.fetch('/api/users/', { method: 'POST', body, headers });
  }
  expect(await remote.explain.entry(1)).toEqual(local.explain.entry(1));
  expect(await remote.explain.order(1)).toEqual(local.explain.order(1));
  expect(await remote.explain.stock(1)).toEqual(local.explain.stock(1));
  expect(await remote.explain.state('order', 1)).toEqual(local.explain.state('order', 1));
});
