import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FaultRuleInput } from '../../src/shop/office/scenario.ts';
import { Problem } from '../../src/index.ts';
import { openOffice, type Office } from '../support/office.ts';

const cart = { channel: 1, user: 1, currency: 'EUR' };

/** Every record of the shop except the faults, which count requests. */
function records({ db }: Office): string {
  const { faultRules: _, ...tables } = db;
  return JSON.stringify(Object.entries(tables).map(([name, table]) => [name, table.all()]));
}

async function statuses(office: Office, line: string, times: number): Promise<number[]> {
  const answers: number[] = [];
  for (let time = 0; time < times; time++) answers.push((await office.call(line)).status);
  return answers;
}

test('a status fault replaces the response by an error, and the request writes nothing', async () => {
  const office = openOffice();
  const { id } = office.faults.add({ match: { method: 'POST', path: '/api/orders' }, status: 503 });
  const before = records(office);
  const answer = await office.call('POST /api/orders/', cart);
  expect(answer.status).toBe(503);
  expect(answer.body).toEqual({ code: 503, message: 'Service Unavailable' });
  expect(records(office)).toBe(before);
  expect((await office.call('GET /api/orders/')).status).toBe(200);
  expect(office.journal.entries().map(({ faults }) => faults)).toEqual([[id], []]);
});

test('a status fault after the write keeps what was written', async () => {
  const office = openOffice();
  const orders = office.db.orders.count();
  office.faults.add({ match: { step: 'create' }, status: 504, after: true });
  expect((await office.call('POST /api/orders/', cart)).status).toBe(504);
  expect(office.db.orders.count()).toBe(orders + 1);
});

test('a fault sends its own headers and body, and a string as it is if the content type is not JSON', async () => {
  const office = openOffice();
  const body = { error: ['odd', 1, null] };
  office.faults.add({ status: 500, body, headers: { 'X-Trace': 'abc' }, first: 1 });
  const answer = await office.call('GET /api/orders/');
  expect(answer.body).toEqual(body);
  expect(answer.headers['x-trace']).toBe('abc');
  office.faults.clear();
  const headers = { 'Content-Type': 'text/html' };
  office.faults.add({ status: 502, body: '<h1>Bad gateway</h1>', headers });
  const response = await office.fetch('/api/orders/');
  expect(await response.text()).toBe('<h1>Bad gateway</h1>');
  expect(response.headers.get('content-type')).toBe('text/html');
});

test.each([
  [{ first: 2 }, [503, 503, 200, 200, 200, 200]],
  [{ every: 3 }, [200, 200, 503, 200, 200, 503]],
  [{}, [503, 503, 503, 503, 503, 503]],
])('a fault applies as often as its rule says: %j', async (often, expected) => {
  const office = openOffice();
  office.faults.add({ status: 503, ...often });
  expect(await statuses(office, 'GET /api/channels/1', 6)).toEqual(expected);
});

test('probability is drawn from the seed and close to the share of failures', async () => {
  const once = await failures(7);
  expect(await failures(7)).toEqual(once);
  expect(await failures(8)).not.toEqual(once);
  const failed = once.filter((status) => status === 503).length;
  expect(failed).toBeGreaterThan(80);
  expect(failed).toBeLessThan(160);
});

test.each<[FaultRuleInput['match'], string, unknown, boolean]>([
  [{ method: 'GET' }, 'GET /api/orders/', undefined, true],
  [{ method: 'GET' }, 'HEAD /api/orders/', undefined, true],
  [{ method: 'GET' }, 'POST /api/orders/', cart, false],
  [{ path: '/api/orders' }, 'GET /api/orders/', undefined, true],
  [{ path: '/api/orders/:any' }, 'GET /api/orders/3/', undefined, true],
  [{ path: '/api/orders/3' }, 'GET /api/orders/3', undefined, true],
  [{ path: '/api/orders/3' }, 'GET /api/orders/33', undefined, false],
  [{ path: '/api/orders/*' }, 'GET /api/orders/3/items/', undefined, true],
  [{ path: '/api/orders/*' }, 'GET /api/orders/', undefined, false],
  [{ path: '/api/*' }, 'GET /api/nowhere', undefined, true],
  [{ step: 'create' }, 'POST /api/orders/', cart, true],
  [{ step: 'item' }, 'POST /api/orders/', cart, false],
  [{ parameters: { currency: 'EUR' } }, 'POST /api/orders/', cart, true],
  [{ parameters: { user: 2 } }, 'POST /api/orders/', cart, false],
  [{ parameters: { order_id: 3 } }, 'GET /api/orders/3', undefined, true],
  [{ parameters: { order_id: 3 } }, 'GET /api/orders/4', undefined, false],
  [{ parameters: { page: 2 } }, 'GET /api/orders/?page=2', undefined, true],
  [{ path: '/api/*', parameters: { page: 2 } }, 'GET /api/nowhere?page=2', undefined, false],
  [
    { parameters: { 'criteria[number]': '0001' } },
    'GET /api/orders/?criteria[number]=0001',
    undefined,
    true,
  ],
])('a fault that matches %j, on %s', async (match, line, body, acts) => {
  const office = openOffice();
  office.faults.add({ match, status: 599 });
  expect((await office.call(line, body)).status === 599).toBe(acts);
});

test('a fault for a session applies only in the back office of that session', () => {
  const rule = { match: { session: 'ada' }, status: 503 };
  const sent = { method: 'GET', url: '/api/orders/', headers: {} };
  const status = (session?: string): number =>
    openOffice({ session, faults: [rule] }).answer(sent).status;
  expect([status('ada'), status('bob'), status()]).toEqual([503, 200, 200]);
  expect(() => openOffice({ session: 'bob' }).faults.add(rule)).toThrow(/session bob.*session ada/);
});

test('a corrupted response cannot be parsed, and its write is kept unless after is false', async () => {
  for (const corrupt of ['malformed', 'cut-off'] as const) {
    for (const after of [undefined, true, false]) {
      const office = openOffice();
      const before = records(office);
      office.faults.add({ corrupt, ...(after !== undefined && { after }) });
      const response = await office.fetch('/api/orders/', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(cart),
      });
      expect(response.status).toBe(201);
      await expect(response.json()).rejects.toThrow(SyntaxError);
      expect(records(office) === before).toBe(after === false);
    }
  }
});

test('no corrupted response is valid JSON', async () => {
  const lines = [
    'GET /api/orders/',
    'GET /api/orders/1',
    'GET /api/checkouts/2',
    'GET /api/nowhere',
    'PUT /api/users/1',
  ];
  for (const corrupt of ['malformed', 'cut-off'] as const) {
    const office = openOffice();
    office.faults.add({ corrupt });
    for (const line of lines) await expect(office.call(line)).rejects.toThrow(SyntaxError);
  }
});

test('a dropped connection rejects fetch, and keeps the write only if after is set', async () => {
  const office = openOffice();
  const before = records(office);
  office.faults.add({ match: { step: 'create' }, connection: 'drop', first: 1 });
  await expect(office.call('POST /api/orders/', cart)).rejects.toThrow(TypeError);
  expect(records(office)).toBe(before);
  office.faults.clear();
  office.faults.add({ match: { step: 'create' }, connection: 'drop', after: true });
  await expect(office.call('POST /api/orders/', cart)).rejects.toThrow('Failed to fetch');
  expect(office.db.orders.count()).toBe(
    JSON.parse(before).find(([name]: [string]) => name === 'orders')[1].length + 1,
  );
  expect(office.journal.entries().map(({ answer }) => answer.connection)).toEqual(['drop', 'drop']);
});

test('a rate limit ends by the clock of the back office, as Retry-After says', async () => {
  const office = openOffice();
  office.faults.add({ match: { path: '/api/channels/*' }, limit: { requests: 2, per: 'PT1M' } });
  const line = 'GET /api/channels/1';
  expect(await statuses(office, line, 3)).toEqual([200, 200, 429]);
  office.clock.advance('PT45S');
  const refused = await office.call(line);
  expect(refused.headers['retry-after']).toBe('15');
  expect(refused.body).toEqual({
    code: 429,
    message: 'Too many requests: at most 2 are served in PT1M. Retry in 15 s.',
  });
  expect((await office.call('GET /api/orders/1')).status).toBe(200);
  office.clock.advance('PT15S');
  expect(await statuses(office, line, 3)).toEqual([200, 200, 429]);
});

test('delays add up and are within their range or distribution', () => {
  const office = openOffice();
  fc.assert(
    fc.property(fc.nat(500), fc.nat(500), (from, more) => {
      office.faults.clear();
      office.faults.add({ delay: 7 });
      office.faults.add({ delay: { from, to: from + more } });
      const { delay = 0 } = office.answer({ method: 'GET', url: '/api/channels/1', headers: {} });
      expect(delay).toBeGreaterThanOrEqual(7 + from);
      expect(delay).toBeLessThanOrEqual(7 + from + more);
    }),
  );
  office.faults.clear();
  office.faults.add({ delay: { median: 200, p95: 800 } });
  const delays = Array.from({ length: 400 }, () => {
    return office.answer({ method: 'GET', url: '/api/channels/1', headers: {} }).delay ?? 0;
  });
  const slower = (than: number): number => delays.filter((delay) => delay > than).length / 400;
  expect(slower(200)).toBeGreaterThan(0.4);
  expect(slower(200)).toBeLessThan(0.6);
  expect(slower(800)).toBeGreaterThan(0.01);
  expect(slower(800)).toBeLessThan(0.1);
});

test('the first rule that applies changes the response, and delays of other rules add to it', () => {
  const office = openOffice();
  const late = office.faults.add({ delay: 30 }).id;
  const first = office.faults.add({ status: 500, every: 2 }).id;
  const second = office.faults.add({ status: 503 }).id;
  const ask = () => office.answer({ method: 'GET', url: '/api/orders/', headers: {} });
  expect([ask(), ask()].map(({ status, delay }) => [status, delay])).toEqual([
    [503, 30],
    [500, 30],
  ]);
  expect(office.journal.entries().map(({ faults }) => faults)).toEqual([
    [late, second],
    [late, first],
  ]);
});

test('a script delays a response', async () => {
  const office = openOffice();
  const { id } = office.script.add({ on: 'create', delay: 40 });
  const body = JSON.stringify(cart);
  const headers = { 'content-type': 'application/json' };
  expect(office.answer({ method: 'POST', url: '/api/orders/', headers, body }).delay).toBe(40);
  expect(office.journal.entries()[0]).toMatchObject({ script: [id], answer: { delay: 40 } });
});

test('faults of a scenario apply from the start and after a reset, and a snapshot keeps their counts', async () => {
  const office = openOffice({ faults: [{ status: 503, first: 2 }] });
  const line = 'GET /api/channels/1';
  expect(await statuses(office, line, 1)).toEqual([503]);
  const snapshot = office.snapshot();
  expect(await statuses(office, line, 2)).toEqual([503, 200]);
  office.restore(snapshot);
  expect(await statuses(office, line, 2)).toEqual([503, 200]);
  office.faults.clear();
  office.reset();
  expect(await statuses(office, line, 3)).toEqual([503, 503, 200]);
});

test('a fault can be removed once', () => {
  const office = openOffice();
  const { id } = office.faults.add({ status: 503 });
  office.faults.remove(id);
  expect(office.faults.list()).toEqual([]);
  expect(() => office.faults.remove(id)).toThrow(Problem);
});

/** Returns the statuses of 400 requests of which 30 % should fail. */
async function failures(seed: number): Promise<number[]> {
  const office = openOffice({ seed });
  office.faults.add({ status: 503, probability: 0.3 });
  return statuses(office, 'GET /api/channels/1', 400);
}
