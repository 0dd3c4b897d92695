import fc from 'fast-check';
import { expect, test } from 'vitest';
import { put, steps } from '../support/checkout-steps.ts';
import { openOffice, type Office } from '../support/office.ts';

const card = { ...steps.purchase, number: '4242 4242 4242 4242', securityCode: '987' };

/** Returns everything that can be read of a journal. */
function journalText(office: Office): string {
  return JSON.stringify(office.journal.entries());
}

test('an entry has the request, the time, the response and the rules that were applied', async () => {
  const office = openOffice({ session: 'ada' });
  await office.call('POST /api/orders/', { channel: 1, user: 1, currency: 'EUR' });
  office.clock.advance('PT1M');
  await office.call('GET /api/orders/?page=2&criteria[number]=0');
  await office.call('GET /api/nowhere');
  const [first, second, third] = office.journal.entries();
  expect(first).toEqual({
    id: 1,
    at: '2026-03-02T09:00:00+0000',
    session: 'ada',
    state: 'sent',
    method: 'POST',
    url: '/api/orders/',
    endpoint: 'POST /api/orders/',
    step: 'create',
    request: {
      headers: expect.objectContaining({ 'content-type': 'application/json' }),
      query: {},
      body: { channel: 1, user: 1, currency: 'EUR' },
    },
    answer: {
      status: 201,
      headers: { 'content-type': 'application/json', location: '/api/orders/121' },
      body: expect.objectContaining({ currency: 'EUR', state: 'cart' }),
    },
    faults: [],
    script: [],
  });
  expect(second).toMatchObject({
    at: '2026-03-02T09:01:00+0000',
    request: { query: { page: '2', criteria: { number: '0' } } },
  });
  expect(third).toMatchObject({ url: '/api/nowhere', answer: { status: 404 } });
  expect(third).not.toHaveProperty('endpoint');
});

test('the journal contains no card, password or token, whether requests succeed or fail', async () => {
  const office = openOffice({ scenario: 'default' });
  const open = office.db.orders.all().find((order) => order.checkout_state === 'finalize');
  const user = {
    firstName: 'Ada',
    lastName: 'Novak',
    email: 'ada@example.test',
    plainPassword: 'hunter-2-hunter',
  };
  await put(office.call, open?.id ?? 1, card);
  await put(office.call, 99999, card);
  await office.call('PUT /api/checkout/6', card);
  await put(office.call, 6, JSON.stringify(card).slice(0, 90));
  await office.call('POST /api/orders/', { ...card, cardNumber: card.number });
  await office.call('GET /api/orders/?number=4242424242424242&access_token=s3cret-token');
  await office.call('GET /api/users/4242424242424242');
  const added = await office.call('POST /api/users/', user, {
    authorization: 'Bearer s3cret-token',
    cookie: 'sid=s3cret-token',
    'x-api-key': 's3cret-token',
  });
  await office.call('POST /api/users/', { ...user, plainPassword: ['hunter-2-hunter'] });
  const requested = await office.call('POST /api/password-resetting-requests/', {
    username: 'ada@example.test',
  });
  await office.call('GET /api/users/1', undefined, {
    referer: 'http://x.test/?token=s3cret-token',
  });
  const secrets = [
    'hunter-2',
    's3cret',
    '"987"',
    'Ada Novak',
    '4242424242424242',
    '4242 4242',
    added.body.password,
    added.body.salt,
    requested.body.confirmation_token,
  ];
  const journal = journalText(office);
  expect(secrets.filter((secret) => journal.includes(JSON.stringify(secret).slice(1, -1)))).toEqual(
    [],
  );
  expect(journal).toContain('************4242');
  expect(office.journal.entries()).toHaveLength(11);
});

test('the journal contains no card number from any parameter', async () => {
  const office = openOffice();
  const body = fc.dictionary(
    fc.string({ maxLength: 12 }),
    fc.constantFrom(card.number, '4242-4242-4242-4242', 4242424242424242, {
      a: ['4242424242424242'],
    }),
    { maxKeys: 3 },
  );
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      office.journal.clear();
      await office.call('POST /api/users/', sent);
      expect(JSON.stringify(office.journal.entries())).not.toMatch(/4242[ -]?4242/);
    }),
  );
});

test('the journal keeps journalSize entries and counts the dropped ones', async () => {
  const office = openOffice({ settings: { journalSize: 3 } });
  for (const id of [1, 2, 3, 4, 5]) await office.call(`GET /api/channels/${id}`);
  expect(office.journal.entries().map(({ url }) => url)).toEqual(
    [3, 4, 5].map((id) => `/api/channels/${id}`),
  );
  expect(office.journal.entries().map(({ id }) => id)).toEqual([3, 4, 5]);
  expect(office.journal.dropped).toBe(2);
  office.journal.clear();
  await office.call('GET /api/channels/1');
  expect([office.journal.dropped, office.journal.count(), office.journal.entries()[0]?.id]).toEqual(
    [0, 1, 6],
  );
  office.reset();
  expect(office.journal.count()).toBe(0);
  await office.call('GET /api/channels/1');
  expect(office.journal.entries()[0]?.id).toBe(1);
});

test('large bodies are left out with a reason, and entries over the memory budget are dropped', async () => {
  const office = openOffice({ settings: { maxLimit: 1000, maxBodyBytes: 5_000_000 } });
  await office.call('POST /api/users/', { firstName: 'x'.repeat(70_000) });
  const [entry] = office.journal.entries();
  expect(entry?.request).not.toHaveProperty('body');
  expect(entry?.request.left_out).toMatch(/70016 characters; at most 65536 are recorded/);
  for (let time = 0; time < 60; time++)
    await office.call('POST /api/users/', { firstName: 'x'.repeat(60_000) });
  expect(office.journal.count()).toBeLessThan(20);
  expect(office.journal.dropped + office.journal.count()).toBe(61);
});

test('the oldest of many large response bodies are discarded with a reason, and all entries are kept', async () => {
  const office = openOffice();
  for (let time = 0; time < 100; time++) await office.call('GET /api/orders/');
  const entries = office.journal.entries();
  expect([entries.length, office.journal.dropped]).toEqual([100, 0]);
  expect(entries[0]?.answer).toMatchObject({ status: 200, left_out: expect.any(String) });
  expect(entries[0]?.answer).not.toHaveProperty('body');
  expect(entries.at(-1)?.answer.body).toMatchObject({ page: 1, total: 94 });
  expect(JSON.stringify(entries).length).toBeLessThan(1_500_000);
  office.reset();
  await office.call('GET /api/orders/');
  await office.call('GET /api/orders/');
  expect(office.journal.entries().map(({ answer }) => 'body' in answer)).toEqual([true, true]);
});

test('a journal of size 0 keeps no entry', async () => {
  const office = openOffice({ settings: { journalSize: 0 } });
  await office.call('GET /api/orders/');
  expect(office.journal.entries()).toEqual([]);
});

test.each([
  ['GET /api/orders/:id', [1, 2, 6]],
  ['get /api/orders/*', [1, 2, 6]],
  ['/api/orders', [3, 5]],
  ['POST', [3, 4]],
  [{ status: 404 }, [2, 7]],
  [{ status: '4xx' as const }, [2, 4, 7, 8, 9]],
  [{ status: 0 }, [6]],
  [{ step: 'create' as const }, [3]],
  [{ query: { page: 2 } }, [5]],
  [{ body: { currency: 'EUR' } }, [3]],
  [{ body: { firstName: 'Ada' }, status: 400 }, [4]],
  [{ since: 4 }, [5, 6, 7, 8, 9]],
  [{ fault: true as const }, [6]],
  [{ reached: false }, [7]],
  [{ request: 'GET', since: 2, status: 200 }, [5]],
  [{ body: { 'shippingAddress[city]': 'Cork' } }, [8, 9]],
])('the journal finds %j', async (filter, ids) => {
  const office = openOffice();
  await office.call('GET /api/orders/1');
  await office.call('GET /api/orders/99999');
  await office.call('POST /api/orders/', { channel: 1, user: 1, currency: 'EUR' });
  await office.call('POST /api/users/', { firstName: 'Ada' });
  await office.call('GET /api/orders/?page=2');
  office.faults.add({ connection: 'drop', first: 1 });
  await office.call('GET /api/orders/2').catch(() => undefined);
  await office.call('PURGE /api/nowhere');
  await put(office.call, 120, { shippingAddress: { city: 'Cork' } });
  await put(office.call, 120, { 'shippingAddress[city]': 'Cork' });
  expect(office.journal.entries(filter).map(({ id }) => id)).toEqual(ids);
  expect(office.journal.count(filter)).toBe(ids.length);
});

test.each([
  ['/api/oders/:id', /closest is GET \/api\/orders\/:order_id/],
  ['DELETE /api/orders/', /expected GET, POST/],
  ['FETCH /api/orders/', /methods are GET, POST/],
  ['GET orders', /Expected a method and a path/],
  ['GET /api/*/items', /\* must be the whole last segment/],
  [{ status: '5xy' }, /404, or 4xx/],
  [{ states: 200 }, /known: request, status/],
  [{ step: 'buy' }, /purchase/],
  [{ request: 'POST /api/orders/', body: { usr: 1 } }, /expected channel, user, currency/],
  [{ body: { plainPassword: 'x' } }, /Secrets such as plainPassword are not recorded/],
  [{ body: { 'shipments[0][token]': 'x' } }, /Secrets such as shipments.0.token are not recorded/],
  [{ since: -1 }, />=0/],
])('a filter that no request can match is rejected: %j', async (filter, message) => {
  const { journal } = openOffice();
  const ask = (work: (filter: string) => unknown) => () => work(filter as string);
  for (const work of [
    ask((one) => journal.entries(one)),
    ask((one) => journal.count(one)),
    ask((one) => journal.verify(one, { times: 0 })),
  ]) {
    expect(work).toThrow(message);
  }
  await expect(journal.waitFor(filter as string)).rejects.toThrow(message);
});

test('changing a returned entry does not change the journal', async () => {
  const office = openOffice();
  await office.call('POST /api/users/', { firstName: 'Ada' });
  const before = journalText(office);
  const [entry] = office.journal.entries();
  Object.assign(entry?.request.body ?? {}, { firstName: 'Eve' });
  entry?.faults.push(1);
  expect(journalText(office)).toBe(before);
});

test('a wait resolves with a matching entry that is recorded before or after it starts', async () => {
  const office = openOffice();
  const second = office.journal.waitFor('GET /api/orders/:id', { times: 2 });
  await office.call('GET /api/orders/1');
  await office.call('GET /api/channels/1');
  await office.call('GET /api/orders/2');
  expect((await second).id).toBe(3);
  expect((await office.journal.waitFor('GET /api/channels/1')).id).toBe(2);
});

test('an aborted wait lists the most similar requests', async () => {
  const office = openOffice();
  const control = new AbortController();
  const waited = office.journal.waitFor('DELETE /api/orders/1', { signal: control.signal });
  await office.call('DELETE /api/orders/2');
  control.abort();
  await expect(waited).rejects.toThrow(
    /^Expected DELETE \/api\/orders\/1 once or more, but found none[^]*#1 DELETE \/api\/orders\/2/,
  );
  await expect(
    office.journal.waitFor('DELETE', { times: 9, signal: control.signal }),
  ).rejects.toThrow(/9 times or more/);
});
