import { expect, test } from 'vitest';
import { createBackOffice } from '../../src/index.ts';

// The control API of a back office without a server.

test('fetch of a back office answers its control API and its dashboard', async () => {
  const office = createBackOffice({ baseUrl: '/backend' });
  const clock = await office.fetch('/backend/_backlot/clock', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance: 'P1D' }),
  });
  expect(clock.status).toBe(200);
  expect(office.clock.now()).toBe('2026-03-03T09:00:00+0000');
  const page = await office.fetch('/backend/_backlot/');
  expect(page.headers.get('content-type')).toMatch('text/html');
  expect(await page.text()).toContain('a back office without sessions');
  const document = await office.fetch(new URL('http://localhost/backend/_backlot/openapi.json'));
  expect((await document.json()).servers).toEqual([{ url: '/backend' }]);
});

test.each(['GET /sessions', 'POST /sessions', 'DELETE /sessions/ada', 'POST /sessions/ada/reset'])(
  '%s of a back office without a server returns 404 with the reason',
  async (line) => {
    const [method = '', path = ''] = line.split(' ');
    const response = await createBackOffice().fetch(`/_backlot${path}`, { method });
    expect(response.status).toBe(404);
    expect((await response.json()).message).toMatch(/no sessions.*npx backlot/);
  },
);

test.each([
  ['/s/ada/api/orders/1', {}],
  ['http://localhost/s/ada/api/orders/1', { method: 'DELETE' }],
  ['/backend/s/ada/_backlot/clock', {}],
  ['/api/orders/1', { method: 'DELETE', headers: { 'X-Backlot-Session': 'ada' } }],
])('fetch of a back office says of %s with %o that it has no sessions', async (url, init) => {
  const office = createBackOffice();
  for (const response of [
    await office.fetch(url, init),
    await office.fetch(new Request(new URL(url, 'http://localhost'), init)),
  ]) {
    expect(response.status).toBe(400);
    expect((await response.json()).message).toMatch(/no sessions.*Leave out .*npx backlot/);
  }
  expect(office.db.orders.get(1)).toBeDefined();
  expect(office.journal.count()).toBe(0);
});

test('a base URL can look like that of a session', async () => {
  const office = createBackOffice({ baseUrl: '/s/shop' });
  expect((await office.fetch('/s/shop/api/orders/1')).status).toBe(200);
  expect((await office.fetch('/s/shop/s/ada/api/orders/1')).status).toBe(400);
});

test('the control API is neither delayed by faults nor recorded', async () => {
  const office = createBackOffice();
  office.faults.add({ status: 503 });
  expect((await office.fetch('/_backlot/health')).status).toBe(200);
  expect(office.journal.count()).toBe(0);
});

test('a wait for a request ends when the caller gives up', async () => {
  const gone = new AbortController();
  const waiting = createBackOffice().fetch('/_backlot/journal/wait', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    signal: gone.signal,
  });
  setTimeout(() => gone.abort(), 20);
  await expect(waiting).rejects.toThrow(/abort/);
});
