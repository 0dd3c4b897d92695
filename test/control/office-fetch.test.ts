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
