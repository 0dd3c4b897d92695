import { createStore, get, set } from 'idb-keyval';
import { afterEach, expect, test, vi } from 'vitest';
import {
  createBackOffice,
  startWorker,
  type WorkerBackOffice,
  type WorkerOptions,
} from '../../src/mounts/browser.ts';

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
  const otherTab = new BroadcastChannel(`backlot ${name}`);
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

test('with keep, a change that another tab has saved is loaded', async () => {
  const name = `test ${crypto.randomUUID()}`;
  const first = await start({ keep: name });
  const { id } = await (await createOrder()).json();
  await first.stop();
  const second = await start({ keep: name });
  second.db.orders.remove(id);
  announce(name);
  await expect.poll(() => second.db.orders.get(id)?.state).toBe('cart');
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
  await expect.poll(async () => JSON.stringify(await get(name, states))).toContain('payments');
  const { length } = JSON.stringify(await get(name, states));
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
  tab.db.orders.remove(id);
  announce(name);
  await expect.poll(() => tab.db.orders.get(id)?.state).toBe('cart');
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
  const entry = (await get<{ state: string }>(name, states))!;
  await set(
    name,
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
  ['program', 'it was saved by another version of the package or with other options'],
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
  await set(name, { asked: '[null,null,null,null]', file }, states);
  await set([name, 'version'], crypto.randomUUID(), states);
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
