import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import type { StoreOffice } from '../../src/shop/office/store-office.ts';
import { storeApi } from '../../src/shop/store-api.ts';
import { runs } from '../support/runs.ts';

// GET responses are cached. Clients must not see any difference.

const readings = storeApi.endpoints
  .filter(({ method }) => method === 'GET')
  .map(({ example }) => example.url)
  .filter((url) => url.startsWith('/api/'));
const requests = storeApi.endpoints.filter(
  ({ method, path }) => method !== 'GET' && path.startsWith('/api'),
);

type Deed = (office: StoreOffice) => void;

const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(...requests).map(
      (row): Deed =>
        (office) =>
          send(office, row),
    ),
  },
  fc.constantFrom('PT1S', 'PT3H1M', 'P400D').map(
    (step): Deed =>
      (office) =>
        office.clock.advance(step),
  ),
  fc.constantFrom(
    (office: StoreOffice) => office.reset(),
    (office: StoreOffice) => office.reset('empty'),
    (office: StoreOffice) => office.reset('default', { settings: { listCarts: false } }),
    (office: StoreOffice) => office.snapshot('before'),
    (office: StoreOffice) => restore(office),
    (office: StoreOffice) => void office.db.users.change(7, { username: 'somebody else' }),
    (office: StoreOffice) => office.import(office.export()),
  ),
);

test('cached responses equal uncached ones in any order of requests', () => {
  fc.assert(
    fc.property(fc.array(deed, { minLength: 1, maxLength: 12 }), (deeds) => {
      const read = openStoreOffice();
      const unread = openStoreOffice();
      for (const one of deeds) {
        readAll(read);
        one(read);
        one(unread);
      }
      expect(readAll(read)).toEqual(readAll(unread));
    }),
    { numRuns: runs(40) },
  );
});

test('a repeated GET returns the cached response', () => {
  const office = openStoreOffice();
  const first = office.answer(get('/api/orders/'));
  expect(office.answer(get('/api/orders/'))).toBe(first);
  expect(office.answer(get('/api/orders/?page=2')).body).not.toBe(first.body);
});

test('a write to rows that a response does not show leaves it cached', () => {
  const office = openStoreOffice();
  const first = office.answer(get('/api/orders/'));
  const { _embedded } = JSON.parse(first.body!) as { _embedded: { items: { user: Row }[] } };
  const shown = new Set(_embedded.items.map(({ user }) => user.id));
  const other = office.db.users.all().find(({ id }) => !shown.has(id))!;
  office.db.users.change(other.id, { first_name: 'Ada' });
  expect(office.answer(get('/api/orders/'))).toBe(first);
  office.db.users.change(_embedded.items[0]!.user.id, { email: 'ada@example.com' });
  const second = office.answer(get('/api/orders/'));
  expect(second.body).toContain('ada@example.com');
});

test('a write to a table that a response was made of makes it again, and leaves others cached', () => {
  const office = openStoreOffice();
  const [cart, user] = [office.answer(get('/api/orders/107')), office.answer(get('/api/users/7'))];
  const [item] = office.db.orderItems.by('order', 107);
  office.db.orderItems.change(item!.id, { unit_price: 1234 });
  expect(office.answer(get('/api/users/7'))).toBe(user);
  expect(office.answer(get('/api/orders/107')).body).not.toBe(cart.body);
});

test('a rejected write leaves nothing of its own in a cached response, which is cached again', () => {
  const office = openStoreOffice();
  const { body } = office.answer(get('/api/orders/107'));
  const rename = (): never => {
    office.db.orders.change(107, { email: 'ada@example.com' });
    expect(office.answer(get('/api/orders/107')).body).toContain('ada@example.com');
    throw new Error('rejected');
  };
  expect(() => office.shop.transaction.run(rename)).toThrow('rejected');
  const again = office.answer(get('/api/orders/107'));
  expect(again.body).toBe(body);
  expect(office.answer(get('/api/orders/107'))).toBe(again);
});

test('a response that does not fit in the cache clears it', () => {
  const office = openStoreOffice({ maxCachedBytes: 20_000 });
  const user = office.answer(get('/api/users/7'));
  expect(office.answer(get('/api/users/7'))).toBe(user);
  const list = office.answer(get('/api/users/?limit=50'));
  expect(list.body!.length).toBeGreaterThan(20_000);
  expect(office.answer(get('/api/users/?limit=50'))).not.toBe(list);
  expect(office.answer(get('/api/users/7'))).not.toBe(user);
});

test('after a restore and after a rewind, a cart shows its user as before', () => {
  const office = openStoreOffice({ history: true });
  // The text of an order with items is made again after any change of the variants.
  const opened = office.answer({
    method: 'POST',
    url: '/api/orders/',
    headers: { 'content-type': 'application/json' },
    body: '{"user":7,"channel":1,"currency":"EUR"}',
  });
  const cart = get(opened.headers['location']!);
  const before = office.answer(cart).body;
  const rename = (): void => {
    office.db.users.change(7, { email: 'ada@example.com' });
    expect(office.answer(cart).body).toContain('ada@example.com');
  };
  office.snapshot('before');
  rename();
  office.restore('before');
  expect(office.answer(cart).body).toBe(before);
  rename();
  const change = office.history.entries().findLast(({ title }) => title === 'outside of requests');
  office.rewind(change!.id);
  expect(office.answer(cart).body).toBe(before);
});

test('a list shows what has changed in one of its orders', () => {
  const office = openStoreOffice();
  const path = '/api/orders/?limit=50';
  const before = JSON.parse(office.answer(get(path)).body!) as OrderList;
  const { id } = before._embedded.items[3]!;
  const [payment] = office.db.payments.by('order', id);
  office.db.payments.change(payment!.id, { amount: 4321 });
  const after = JSON.parse(office.answer(get(path)).body!) as OrderList;
  const changed = after._embedded.items.filter(
    (order, at) => JSON.stringify(order) !== JSON.stringify(before._embedded.items[at]),
  );
  expect(changed.map((order) => order.id)).toEqual([id]);
});

test('orders read the same alone and in lists, whichever is read first', () => {
  const lists = [1, 2].map((page) => `/api/orders/?limit=100&page=${page}`);
  const office = openStoreOffice();
  const singles = office.db.orders.all().map(({ id }) => `/api/orders/${id}`);
  const [listsFirst, singlesFirst] = [openStoreOffice(), openStoreOffice()];
  const early = bodies(listsFirst, lists);
  const late = bodies(singlesFirst, singles);
  expect(bodies(listsFirst, singles)).toEqual(late);
  expect(bodies(singlesFirst, lists)).toEqual(early);
  // Each in an office of its own, where nothing was read before.
  for (const url of [...lists, ...singles.slice(0, 20)])
    expect([...early, ...late]).toContain(openStoreOffice().answer(get(url)).body);
});

interface OrderList {
  readonly _embedded: { readonly items: readonly Row[] };
}

interface Row {
  readonly id: number;
}

test('a fault applies to a cached response, and the corrupted response is not cached', () => {
  const office = openStoreOffice();
  const { body } = office.answer(get('/api/orders/'));
  office.faults.add({ corrupt: 'cut-off', first: 1 });
  expect(office.answer(get('/api/orders/')).body).not.toBe(body);
  expect(office.answer(get('/api/orders/')).body).toBe(body);
});

function bodies(office: StoreOffice, urls: readonly string[]): (string | undefined)[] {
  return urls.map((url) => office.answer(get(url)).body);
}

function readAll(office: StoreOffice): unknown[] {
  return readings.map((url) => office.answer(get(url)));
}

function send(office: StoreOffice, { method, example }: (typeof requests)[number]): void {
  office.answer({
    method,
    url: example.url,
    headers: { 'content-type': 'application/json' },
    ...(example.body !== undefined && { body: JSON.stringify(example.body) }),
  });
}

function restore(office: StoreOffice): void {
  if (office.snapshots.list().some(({ name }) => name === 'before')) office.restore('before');
}

function get(url: string) {
  return { method: 'GET', url, headers: {} };
}
