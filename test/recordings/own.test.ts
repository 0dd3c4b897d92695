import { expect, test } from 'vitest';
import { replayRecording as replayOnServer } from '../../src/cli/dropped-recording.ts';
import { run } from '../../src/cli/run.ts';
import { storeApi } from '../../src/define.ts';
import type { HarFile } from '../../src/index.ts';
import { replayRecording } from '../../src/verify/replay/replay.ts';
import { card, checkoutOf, steps } from '../support/checkout-steps.ts';
import { everyPart } from '../support/every-part-api.ts';
import { openOffice, type Calls } from '../support/office.ts';
import '../support/parts.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { receivedRecording, savedFile } from '../support/recording.ts';

/** Real time in which each request takes less than the one before it. */
function realTime(): { milliseconds: () => number; currentTime: () => number } {
  let [elapsed, received] = [0, Date.parse('2031-01-01T00:00:00Z')];
  let step = 1000;
  return { milliseconds: () => (elapsed += step -= 7), currentTime: () => (received += 3) };
}

async function checkOut({ call }: Calls, headers: Record<string, string> = {}): Promise<void> {
  await call('POST /api/orders/', { channel: 1, user: 3, currency: 'EUR' }, headers);
  await call('POST /api/orders/121/items/', 'variant=7&quantity=2&unitPrice=1500', {
    ...headers,
    'content-type': 'application/x-www-form-urlencoded',
  });
  for (const body of Object.values(steps)) await call(checkoutOf(121), body, headers);
  await call('GET /api/orders/121/', undefined, headers);
}

async function expectSame(har: HarFile, options: object = {}, tokens = 0): Promise<void> {
  const file = savedFile('own.har', JSON.stringify(har));
  const { findings, leftOut, requests } = await replayRecording(file, {
    api: storeApi,
    fromRecorded: true,
    ...options,
  });
  expect(findings).toEqual([]);
  expect(leftOut).toEqual(tokens > 0 ? { 'for a token with a masked secret': tokens } : {});
  expect(requests).toBe(har.log.entries.length - tokens);
}

test('npx backlot replay finds no difference in a checkout that the history exports, whose clock is frozen', async () => {
  const office = openOffice({ history: true, ...realTime() });
  await checkOut(office);
  const har = office.history.export({ as: 'har' });
  expect(new Set(har.log.entries.map((one) => one.startedDateTime)).size).toBe(1);
  expect(har.log.entries.map(({ _received }) => _received)).toEqual(
    har.log.entries.map((_, at) => new Date(Date.UTC(2031, 0, 1) + 3 * (at + 1)).toISOString()),
  );
  await expectSame(har);
  expect(await run(['replay', savedFile('own.har', JSON.stringify(har))])).toBe(0);
});

test('an export of a shop without a history has no differences', async () => {
  const office = openOffice({ scenario: 'sale' });
  await checkOut(office);
  office.clock.advance('P1D');
  await office.call('GET /api/orders/121/');
  await expectSame(office.history.export({ as: 'har' }), { scenario: 'sale' });
});

test('an export has no differences after faults, held and dropped responses, and changes by other means', async () => {
  const office = openOffice({ history: true, now: '2028-05-05T10:00:00+0000', ...realTime() });
  await office.call('GET /api/orders/?limit=3');
  office.faults.add({ match: { path: '/api/orders/*' }, status: 429, first: 1 });
  office.faults.add({ match: { path: '/api/users/*' }, hold: 'later', first: 1 });
  office.faults.add({ connection: 'drop', after: true, match: { step: 'purchase' }, first: 1 });
  office.script.add({ on: 'purchase', outcome: 'declined', first: 1 });
  const held = office.call('GET /api/users/3');
  await office.call('GET /api/orders/1/');
  office.release('later');
  await held;
  await office.call('POST /_backlot/given/anOrder', { at: 'completed' });
  office.clock.advance('P8D');
  await office.call('GET /api/orders/?limit=3&sorting[id]=desc');
  await office.call('DELETE /api/users/22');
  office.reset('filled-cart');
  await office.call('GET /api/orders/');
  await office.call('GET /api/users/3', undefined, { prefer: 'status=503' });
  const [first] = office.history.entries();
  await office.call(`POST /_backlot/journal/${first?.id}/rewind`, { to: 'before' });
  await checkOut(office).catch(() => undefined);
  await office.call(checkoutOf(121), card);
  await office.call('GET /api/orders/121/');
  await expectSame(office.history.export({ as: 'har' }));
});

test('an export has no differences whatever its clients called the server', async () => {
  const office = openOffice({ history: true, ...realTime() });
  await checkOut(office, { host: '127.0.0.1:4000' });
  await office.call('PUT /api/orders/121/', {}, { host: 'localhost:4000' });
  await office.call('GET /api/orders/121/', undefined, { host: '[::1]:4000' });
  await expectSame(office.history.export({ as: 'har', address: '/s/ada' }));
});

test('what a session of a server exports has no differences', async () => {
  const { url, call } = await startProgram('--scenario', 'sale', '--clock', 'ticking');
  await call('POST /s/ada/api/orders/', { channel: 1, user: 3, currency: 'EUR' });
  await call('POST /s/ada/_backlot/given/anOrder', { at: 'completed' });
  await call('GET /api/orders/122/', undefined, { 'x-backlot-session': 'ada' });
  await call('PUT /s/ada/_backlot/clock', { advance: 'P8D' });
  await call('GET /s/ada/api/orders/121/');
  const har = await call('GET /s/ada/_backlot/journal/export?as=har');
  const file = savedFile('own.har', JSON.stringify(har.body));
  const { out } = await runProgram('replay', file);
  expect(out).toBe(`${file}: no differences in 3 requests to 2 endpoints of ${url}/s/ada.\n`);
});

test('an export of an extended shop has no differences', async () => {
  const api = everyPart;
  const office = openOffice({ api, history: true, ...realTime() });
  for (const { method, example } of api.endpoints) {
    const url = example.url.replace(/^\/api(?=\/)/, api.path);
    await office.call(`${method} ${url}`, method === 'GET' ? undefined : example.body);
  }
  await expectSame(office.history.export({ as: 'har' }), { api, apiPath: api.path }, 2);
});

test('the headers and the body of an exported form fit each other, and can be sent again', async () => {
  const office = openOffice({ history: true });
  const multipart = new FormData();
  multipart.set('code', 'HR1');
  multipart.set('name', 'Zoë & Co');
  await office.fetch('/api/stock-locations/', { method: 'POST', body: multipart });
  const [entry] = office.history.export({ as: 'har' }).log.entries;
  const again = await openOffice().fetch('/api/stock-locations/', {
    method: 'POST',
    headers: entry?.request.headers.map(({ name, value }): [string, string] => [name, value]) ?? [],
    body: entry?.request.postData?.text ?? '',
  });
  expect([again.status, await again.json()]).toMatchObject([201, { name: 'Zoë & Co' }]);
});

/** A request to the control API, as another mock may have recorded it. */
function control(path: string, body: object): object {
  const headers = [{ name: 'content-type', value: 'application/json' }];
  const postData = { mimeType: 'application/json', text: JSON.stringify(body) };
  const url = `http://127.0.0.1:4000/_backlot/${path}`;
  return {
    request: { method: 'POST', url, headers, postData },
    response: { status: 200, content: {} },
  };
}

test('on a server, a recording resets to nothing that a visitor may not', async () => {
  const office = openOffice({ history: true });
  await office.call('GET /api/orders/?limit=1');
  const { entries } = office.history.export({ as: 'har' }).log;
  const [first] = entries;
  const foreign = [
    { ...first, _id: undefined },
    control('reset', { scenario: 'large' }),
    control('reset', { seed: 7 }),
    control('import', { text: 'x'.repeat(70_000) }),
  ];
  const own = [first, { ...first, _before: { state: { ...stateOf(first), extends: 'large' } } }];
  const leftOut = async (all: readonly unknown[]): Promise<object> => {
    const trace = await replayOnServer(
      receivedRecording(all).chunks,
      office.scenario,
      new AbortController().signal,
    );
    expect(trace.start.extends).toBe('default');
    const replayed = await replayRecording(receivedRecording(all), {
      api: storeApi,
      fromRecorded: true,
      asVisitor: true,
    });
    expect(replayed.findings).toEqual([]);
    return replayed.leftOut;
  };
  expect(await leftOut(foreign)).toEqual({
    'to the control API that this server does not do again': 3,
  });
  expect(await leftOut(own)).toEqual({ 'changes of the shop that cannot be made here': 1 });
});

function stateOf(entry: HarFile['log']['entries'][number] | undefined): object {
  const before = entry?._before;
  return before !== undefined && 'state' in before ? before.state : {};
}

test('on a server, a replay ends in its first entries when its time is over', async () => {
  const over = AbortSignal.abort();
  const elsewhere = {
    request: { method: 'GET', url: 'https://cdn.test/' },
    response: { status: 200 },
  };
  const all = Array.from({ length: 200_000 }, () => elsewhere);
  const { scenario } = openOffice();
  await expect(replayOnServer(receivedRecording(all).chunks, scenario, over)).rejects.toThrow(
    'takes too long',
  );
});
