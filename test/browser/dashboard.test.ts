import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { dashboardPage } from '../../src/dashboard/dashboard.ts';
import { openServer, type TestServer } from '../support/server.ts';

// The script of the dashboard and a server in one page. test/dashboard has the page as a server sends it.

type ServerOptions = Parameters<typeof openServer>[0];

const networkFetch = globalThis.fetch;
const cart = { channel: 1, user: 1, currency: 'EUR' };
const card = {
  type: 'visa',
  cardholderName: 'Ada Lovelace',
  number: '4242424242424242',
  securityCode: '987',
  expiryMonth: 12,
  expiryYear: 2030,
};

let server: TestServer;
let isConnected = true;

/** Serves the control API from the present server, and the modules of the page from the network. */
async function fetchFromServer(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const { pathname, search } = new URL(request.url);
  if (!pathname.startsWith('/_backlot/')) return networkFetch(request);
  if (!isConnected) throw new TypeError('Failed to fetch');
  const body = await request.text();
  const { status, ...answer } = server.sessions.answer({
    method: request.method,
    url: `${pathname}${search}`,
    headers: Object.fromEntries(request.headers),
    ...(body !== '' && { body }),
  });
  return new Response(answer.body ?? null, { status, headers: answer.headers });
}

/** Lets the dashboard refresh itself. */
function refresh(): void {
  vi.advanceTimersByTime(2000);
}

/** Shows another server in the dashboard. */
function show(options: ServerOptions = {}): TestServer {
  server = openServer(options);
  refresh();
  return server;
}

/** Returns a section of the page by its heading. */
function part(heading: string): HTMLElement {
  const sections = Array.from(document.querySelectorAll('section'));
  return sections.find((section) => section.querySelector('h2')?.textContent === heading)!;
}

/** Waits until a section of the page shows a text. */
async function says(heading: string, text: string | RegExp): Promise<void> {
  await expect.poll(() => part(heading).innerText).toMatch(text);
}

function press(heading: string, name: string): void {
  const buttons = Array.from(part(heading).querySelectorAll('button'));
  buttons.find(({ textContent }) => textContent === name)!.click();
}

function fill(id: string, value: string): void {
  const field = document.querySelector<HTMLInputElement | HTMLSelectElement>(`#${id}`)!;
  field.value = value;
  field.dispatchEvent(new Event('change'));
}

const notice = (): string => document.querySelector<HTMLElement>('#notice')!.innerText;

function refreshedNotice(): string {
  refresh();
  return notice();
}

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  vi.stubGlobal('fetch', fetchFromServer);
  history.replaceState(null, '', '/_backlot/');
  const page = new DOMParser().parseFromString(dashboardPage('./', 'a page'), 'text/html');
  document.body.replaceChildren(...page.body.children);
  server = openServer();
  await import('../../src/dashboard/client/main.ts');
});

beforeEach(async () => {
  show();
  await says('Clock', /2026-03-02 09:00:00 UTC, frozen/);
  await says('Faults', 'No faults.');
});

afterEach(() => {
  isConnected = true;
  sessionStorage.clear();
});

test('a fault shows which requests it matches, its effect and how often it matched', async () => {
  const { call } = server;
  const match = { method: 'PUT', path: '/api/checkouts/:order_id', step: 'payment' };
  call('POST /_backlot/faults', { match, first: 2, delay: 1500 });
  call('POST /_backlot/faults', { status: 500, probability: 0.3, body: 'x'.repeat(100) });
  call('POST /_backlot/faults', { every: 3, connection: 'drop' });
  refresh();
  await says(
    'Faults',
    /#1 PUT \/api\/checkouts\/:order_id payment → delay 1500, the first 2, matched 0 ×/,
  );
  await says('Faults', /#2 all → 500, body x{60}…, 30 %, matched 0 ×/);
  await says('Faults', /#3 all → connection drop, one in 3, matched 0 ×/);
});

test('the buttons of the faults add a fault, and the button of a fault deletes it', async () => {
  press('Faults', 'Return 503');
  await says('Faults', /#1 all → 503, matched 0 ×/);
  expect(server.call('GET /api/channels/1').status).toBe(503);
  refresh();
  await says('Faults', /matched 1 ×/);
  press('Faults', 'Delay 2 s');
  await says('Faults', /#2 all → delay 2000/);
  press('Faults', 'Delete');
  await expect.poll(() => part('Faults').innerText).not.toContain('#1');
  await says('Faults', /#2 all → delay 2000/);
});

test('a request shows its status, its step, and the fault and the rule that it met', async () => {
  const { call } = server;
  call('POST /_backlot/reset', { scenario: 'awaiting-purchase' });
  call('POST /_backlot/script', { on: 'purchase', outcome: 'declined' });
  call('PUT /api/checkouts/1', card);
  call('GET /api/orders/99999');
  call('POST /_backlot/faults', { connection: 'drop', match: { method: 'DELETE' } });
  call('DELETE /api/orders/1');
  refresh();
  await says('Requests', /dropped\s*DELETE \/api\/orders\/1 09:00:00, fault 1/);
  await says('Requests', /404\s*GET \/api\/orders\/99999 09:00:00/);
  await says('Requests', /PUT \/api\/checkouts\/1 09:00:00, purchase, rule 1/);
  await says('Requests', /^Requests\s+3 entries/);
});

test('an expanded request stays open when another arrives, and Clear removes both', async () => {
  server.call('GET /api/channels/1');
  refresh();
  await says('Requests', /1 entry/);
  part('Requests').querySelector('summary')!.click();
  await says('Requests', /"status": 200/);
  server.call('GET /api/channels/2');
  refresh();
  await says('Requests', /2 entries[^]*channels\/2[^]*channels\/1[^]*"status": 200/);
  press('Requests', 'Clear');
  await says('Requests', /0 entries[^]*No requests\./);
});

test('the number of requests includes those that the journal dropped', async () => {
  const { call } = show({ settings: { journalSize: 2 } });
  for (const id of [1, 2, 1, 2, 1]) call(`GET /api/channels/${id}`);
  refresh();
  await says('Requests', /2 entries, 3 dropped/);
});

test('a reset returns to the scenario that is chosen', async () => {
  expect(part('Scenario').innerText).toMatch(/A shop for coffee and outdoor equipment/);
  fill('scenario', 'filled-cart');
  expect(part('Scenario').innerText).toMatch(/A cart, order 1, with three items/);
  press('Scenario', 'Reset');
  await says('Orders', /awaits\s+1\s/);
  expect(server.call('GET /_backlot/health').body.scenario).toBe('filled-cart');
  fill('scenario', 'default');
});

test('the clock advances by a duration, starts, and reports an invalid duration', async () => {
  press('Clock', '+1 day');
  await says('Clock', /2026-03-03 09:00:00 UTC, frozen/);
  fill('duration', 'tomorrow');
  press('Clock', 'Advance');
  await expect.poll(notice).toMatch(/Expected a duration such as PT3H or P1D/);
  fill('duration', '-P1D');
  press('Clock', 'Advance');
  await says('Clock', /2026-03-02 09:00:00 UTC, frozen/);
  expect(notice()).toBe('');
  press('Clock', 'Start');
  await says('Clock', /UTC, ticking[^]*Freeze/);
  press('Clock', 'Freeze');
  await says('Clock', /UTC, frozen[^]*Start/);
});

test('a snapshot is taken, restored and deleted', async () => {
  fill('snapshot-name', 'before');
  press('Snapshots', 'Take snapshot');
  await says('Snapshots', /before, 2026-03-02 09:00/);
  const { id } = server.call('POST /api/orders/', cart).body;
  press('Snapshots', 'Restore');
  await expect.poll(() => server.call(`GET /api/orders/${id}`).status).toBe(404);
  press('Snapshots', 'Delete');
  await says('Snapshots', 'No snapshots.');
});

test('a session is created, reset and deleted, and an evicted session has its reason', async () => {
  const { call, pass } = show({ sessionIdle: 'PT1M' });
  fill('session-name', 'ada');
  press('Sessions', 'Create');
  await says('Sessions', /ada default, idle 0 s/);
  expect(part('Sessions').querySelector('a')!.getAttribute('href')).toBe('/s/ada/_backlot/');
  const { id } = call('POST /s/ada/api/orders/', cart).body;
  press('Sessions', 'Reset');
  await expect.poll(() => call(`GET /s/ada/api/orders/${id}`).status).toBe(404);
  press('Sessions', 'Delete');
  await says('Sessions', 'No sessions.');
  call('GET /s/eve/api/users/1');
  pass(61);
  refresh();
  await says('Sessions', 'eve was deleted: it was idle for PT1M');
});

test('an order or another record shows its possible transitions, which can be applied', async () => {
  const row = Array.from(part('Orders').querySelectorAll('tr')).find(({ innerText }) =>
    innerText.includes('000000094'),
  );
  row!.querySelector('button')!.click();
  await says('Transitions', /order 105 is confirmed/);
  press('Transitions', 'cancel');
  await says('Transitions', /order 105 is cancelled/);
  expect(server.call('GET /api/orders/105').body.state).toBe('cancelled');
  fill('machine', 'inventory_unit');
  fill('record', '1');
  press('Transitions', 'Show');
  await says('Transitions', /inventory unit 1 is /);
  fill('record', '999999');
  press('Transitions', 'Show');
  await expect.poll(notice).toMatch(/999999/);
});

test('a new order is first in the list, and the others keep their place in the page', async () => {
  const row = document.getElementById('orders/105');
  expect(row).not.toBeNull();
  server.call('POST /api/orders/', cart);
  refresh();
  await says('Orders', /awaits\s+121\s/);
  expect(document.getElementById('orders/105')).toBe(row);
});

test('a server that does not respond is reported until it responds', async () => {
  isConnected = false;
  await expect.poll(refreshedNotice).toBe('Failed to fetch');
  isConnected = true;
  await expect.poll(refreshedNotice).toBe('');
});

test('a required token is requested, and a wrong one is reported', async () => {
  const form = document.querySelector<HTMLElement>('#token')!;
  expect(form.hidden).toBe(true);
  show({ controlToken: 'sesame' });
  await expect.poll(() => form.hidden).toBe(false);
  fill('token-text', 'wrong');
  form.querySelector('button')!.click();
  await expect.poll(notice).toMatch(/token/);
  fill('token-text', 'sesame');
  form.querySelector('button')!.click();
  await expect.poll(notice).toBe('');
  expect(form.hidden).toBe(true);
});

test('a client without a session sees why there are no lists of sessions and orders', async () => {
  show({ sessions: 'own', newName: () => 'ada' });
  await says('Sessions', /cannot see those of others/);
});
