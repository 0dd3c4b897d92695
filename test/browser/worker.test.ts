import { createStore, get, set } from 'idb-keyval';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import {
  createBackOffice,
  startWorker,
  type MountedBackOffice,
  type WorkerBackOffice,
  type WorkerOptions,
} from '../../src/mounts/browser.ts';
import { openStateSaver } from '../../src/mounts/page/state-saver.ts';

/** The options of a page that has none, which the key of its state ends with. */
const noOptions = '[null,null,null,null]';

/** Where pages keep their states. */
const states = createStore('backlot', 'states');

let started: WorkerBackOffice | undefined;

afterEach(async () => {
  await started?.stop();
  started = undefined;
});

async function start(options: WorkerOptions = {}): Promise<WorkerBackOffice> {
  return (started = await startWorker(options));
}

const listed = async (): Promise<number> => (await (await fetch('/api/orders/')).json()).total;

const createOrder = (base = ''): Promise<Response> =>
  fetch(`${base}/api/orders/`, {
    method: 'POST',
    body: new URLSearchParams({ channel: '1', user: '1', currency: 'EUR' }),
  });

/** Tells the page what another tab tells it after a save. */
function announce(name: string): void {
  const otherTab = new BroadcastChannel(`backlot ${name} ${noOptions}`);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has one origin
  otherTab.postMessage('changed');
  otherTab.close();
}

test('the back office in a page responds to the requests of the page', async () => {
  const office = await start();
  const wanted = await (await office.fetch('/api/users/7')).text();
  const response = await fetch('/api/users/7');
  expect(response.status).toBe(200);
  expect(await response.text()).toBe(wanted);
  const { id } = await (await createOrder()).json();
  expect(office.db.orders.get(id)?.state).toBe('cart');
});

test.each(['/api/users/7', '/_backlot/'])('a navigation to %s goes to the network', async (src) => {
  await start();
  const frame = document.createElement('iframe');
  const loaded = new Promise((resolve) => {
    frame.addEventListener('load', resolve);
  });
  document.body.append(Object.assign(frame, { src }));
  onTestFinished(() => frame.remove());
  await loaded;
  // The development server has neither.
  expect(frame.contentDocument!.contentType).toBe('text/plain');
});

test('requests outside of the base URL go to the network', async () => {
  await start();
  expect((await fetch('/package.json')).headers.get('content-type')).toContain('json');
});

test('page code resets and switches scenarios', async () => {
  const office = await start();
  const before = office.db.orders.count();
  await createOrder();
  office.reset();
  expect(office.db.orders.count()).toBe(before);
  const many = await listed();
  office.reset('empty');
  expect(await listed()).toBe(0);
  office.reset('default');
  expect(await listed()).toBe(many);
});

test('page code switches to a scenario that generates orders as soon as the worker has started', async () => {
  const office = await start();
  const before = await listed();
  const generate = { orders: 5, users: 0 };
  office.reset({ name: 'generated', description: 'Orders', extends: 'default', generate });
  expect(await listed()).toBeGreaterThan(before);
});

test('a back office below another base URL responds there, with links below it', async () => {
  await start({ baseUrl: 'https://shop.example/backend' });
  const page = await (await fetch('https://shop.example/backend/api/users/?limit=1')).json();
  expect(page._links.next.href).toBe('/backend/api/users/?page=2&limit=1');
});

test('with keep, the next load of the page restores the state', async () => {
  const name = `test ${crypto.randomUUID()}`;
  const first = await start({ keep: name });
  const { id } = await (await createOrder()).json();
  await first.stop();
  const second = await start({ keep: name });
  expect(second.db.orders.get(id)).toBeDefined();
  second.reset();
  await second.stop();
  const third = await start({ keep: name });
  expect(third.db.orders.get(id)).toBeUndefined();
  await third.stop();
  const other = await start({ keep: name, seed: 2 });
  expect(other.shop.seed).toBe(2);
  await other.stop();
  expect((await start()).db.orders.get(id)).toBeUndefined();
});

test('with keep, a restored snapshot and an import are saved', async () => {
  const name = `test ${crypto.randomUUID()}`;
  const first = await start({ keep: name });
  const snapshot = first.snapshot();
  const { id } = await (await createOrder()).json();
  const file = first.export();
  first.restore(snapshot);
  await first.saved();
  await first.stop();
  const second = await start({ keep: name });
  expect(second.db.orders.get(id)).toBeUndefined();
  second.import(file);
  await second.stop();
  expect((await start({ keep: name })).db.orders.get(id)).toBeDefined();
});

/** Opens a shop that is kept as that of another tab of `startWorker({ keep: name })`. */
async function openTab(name: string) {
  const shop = createBackOffice();
  const saver = await openStateSaver(shop, name, noOptions);
  onTestFinished(() => saver.close());
  return { shop, saver };
}

test.each<[string, (shop: MountedBackOffice) => void]>([
  ['a move of the clock', ({ clock }) => clock.advance('P1D')],
  ['a clock that is started', ({ clock }) => clock.tick()],
  ['a write to a table', ({ db }) => void db.users.change(1, { first_name: 'Another' })],
  ['a rule of the script', ({ script }) => void script.add({ on: 'payment', delay: 1 })],
  ['a fault', ({ faults }) => void faults.add({ status: 503 })],
  ['a transition', ({ checkout }) => checkout.transition('order', 105, 'cancel')],
  ['a reset', (shop) => shop.reset('sale')],
])('with keep, %s by code is saved, and another tab has it', async (_, change) => {
  const name = `test ${crypto.randomUUID()}`;
  const first = await start({ keep: name });
  const other = await openTab(name);
  const before = JSON.stringify(other.shop.export());
  change(first);
  await first.saved();
  const wanted = JSON.stringify(first.export());
  expect(wanted).not.toBe(before);
  await expect.poll(() => JSON.stringify(other.shop.export())).toBe(wanted);
  await other.saver.saved();
  await first.stop();
  expect(JSON.stringify((await start({ keep: name })).export())).toBe(wanted);
});

test('with keep, pages with other scenarios have states of their own', async () => {
  const name = `test ${crypto.randomUUID()}`;
  const first = await start({ keep: name });
  const { id } = await (await createOrder()).json();
  await first.stop();
  const other = await start({ keep: name, scenario: 'sale' });
  await createOrder();
  await other.stop();
  expect((await start({ keep: name })).db.orders.get(id)).toBeDefined();
});

test('with keep, the next load of the page restores another scenario', async () => {
  const name = `test ${crypto.randomUUID()}`;
  const first = await start({ keep: name });
  first.reset('empty');
  await first.stop();
  const second = await start({ keep: name });
  expect([second.scenario.name, second.db.orders.count()]).toEqual(['empty', 0]);
});

test('with keep, a paid order takes at most 10 kB of IndexedDB', async () => {
  const name = `test ${crypto.randomUUID()}`;
  const first = await start({ keep: name });
  const { id } = await (await createOrder()).json();
  const item = new URLSearchParams({ variant: '1', unitPrice: '1000', quantity: '2' });
  await fetch(`/api/orders/${id}/items/`, { method: 'POST', body: item });
  first.checkout.walk(id, 'purchase');
  const wanted = first.export();
  dispatchEvent(new Event('pagehide'));
  await expect
    .poll(async () => JSON.stringify(await get(`${name} ${noOptions}`, states)))
    .toContain('payments');
  const { length } = JSON.stringify(await get(`${name} ${noOptions}`, states));
  expect(length).toBeGreaterThan(1000);
  expect(length).toBeLessThanOrEqual(10_000);
  await first.stop();
  const second = await start({ keep: name });
  expect(second.export()).toEqual(wanted);
});

test('with keep, what a tab has beside the shop stays when it loads the state of another tab', async () => {
  const name = `test ${crypto.randomUUID()}`;
  const tab = await start({ keep: name, history: true });
  const { id } = await (await createOrder()).json();
  tab.snapshot('mine');
  const entries = tab.journal.count();
  const other = await openTab(name);
  other.shop.db.orders.change(id, { email: 'another@example.com' });
  await expect.poll(() => tab.db.orders.get(id)?.email).toBe('another@example.com');
  expect(tab.journal.count()).toBeGreaterThanOrEqual(entries);
  expect(tab.snapshots.list().map((one) => one.name)).toEqual(['mine']);
  expect(tab.history.entries().at(-1)).toMatchObject({
    by: 'restore',
    title: 'restored the snapshot in IndexedDB',
  });
});

type Saved = Record<'office', object>;

/** Replaces parts of a saved state. */
async function alter(name: string, change: (saved: Saved) => object): Promise<void> {
  const key = `${name} ${noOptions}`;
  const entry = (await get<{ state: string }>(key, states))!;
  await set(
    key,
    { ...entry, state: JSON.stringify(change(JSON.parse(entry.state) as Saved)) },
    states,
  );
}

test('a saved state that cannot be restored is ignored with a warning', async () => {
  const warned = vi.spyOn(console, 'warn').mockReturnValue();
  const name = `test ${crypto.randomUUID()}`;
  const first = await start({ keep: name });
  await createOrder();
  await first.stop();
  await alter(name, ({ office, ...saved }) => ({
    ...saved,
    office: { ...office, tables: { nothing: { next_id: 1 } } },
  }));
  expect(warned).not.toHaveBeenCalled();
  const second = await start({ keep: name });
  expect(warned).toHaveBeenCalledOnce();
  expect(second.db.orders.count()).toBe(first.db.orders.count() - 1);
  warned.mockRestore();
});

test.each([
  ['program', 'it was saved by another version of the package'],
  ['scenario', 'the scenario default has changed'],
])('a saved state of another %s is ignored, which the console says once', async (part, reason) => {
  const said = vi.spyOn(console, 'info').mockReturnValue();
  const name = `test ${crypto.randomUUID()}`;
  const first = await start({ keep: name });
  const { id } = await (await createOrder()).json();
  await first.stop();
  await alter(name, (saved) => ({ ...saved, [part]: 'another' }));
  const second = await start({ keep: name });
  announce(name);
  expect(second.db.orders.get(id)).toBeUndefined();
  await createOrder();
  expect(said.mock.calls).toEqual([[`The saved state of the back office is not used: ${reason}.`]]);
  said.mockRestore();
  await second.stop();
  expect((await start({ keep: name })).db.orders.get(id)?.state).toBe('cart');
});

test('a state in the format of an earlier version is ignored', async () => {
  const name = `test ${crypto.randomUUID()}`;
  const file = createBackOffice({ scenario: 'empty' }).export();
  await set(`${name} ${noOptions}`, { asked: noOptions, file }, states);
  const first = await start({ keep: name });
  expect(first.scenario.name).toBe('default');
  const { id } = await (await createOrder()).json();
  await first.stop();
  expect((await start({ keep: name })).db.orders.get(id)?.state).toBe('cart');
});

test('the error for a missing worker script states the fix', async () => {
  await expect(startWorker({ workerUrl: '/nothing/here.js' })).rejects.toThrow(
    /worker script .*\/nothing\/here\.js not found: its .*npx msw init/,
  );
});

test.each([
  ['/package.json', /not found: its content type is application\/json/],
  ['http://127.0.0.1:1/worker.js', /not found: Failed to fetch/],
])('the error for %s, which is no worker script, has the reason', async (workerUrl, message) => {
  await expect(startWorker({ workerUrl })).rejects.toThrow(message);
});

test('a page that is not secure is rejected with the fix', async () => {
  vi.stubGlobal('isSecureContext', false);
  await expect(startWorker()).rejects.toThrow(/requires a secure page\. Open it over https/);
  vi.unstubAllGlobals();
});

test('requests get responses when the browser cannot save more', async () => {
  const warned = vi.spyOn(console, 'warn').mockReturnValue(undefined);
  const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('The disk is full', 'QuotaExceededError');
  });
  await start({ keep: 'a full disk' });
  expect((await createOrder()).status).toBe(201);
  expect((await createOrder()).status).toBe(201);
  expect(warned).toHaveBeenCalledWith(expect.stringContaining('Failed to save'), expect.anything());
  full.mockRestore();
  warned.mockRestore();
});
