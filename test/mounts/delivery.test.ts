import { once } from 'node:events';
import { connect } from 'node:net';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { requestLog } from '../../src/cli/request-log.ts';
import { createExpressRouter } from '../../src/mounts/express.ts';
import { createFetchHandler } from '../../src/mounts/fetch-handler.ts';
import { createHttpServer } from '../../src/mounts/server/server.ts';
import { createBackOffice, type NodeBackOffice } from '../../src/mounts/node.ts';
import { toHaveReceived } from '../../src/mounts/node/received.ts';
import { openSessions } from '../../src/engine/sessions/server.ts';
import { listen, serveApp } from '../support/raw-http.ts';

/** A way to send requests, and to read the history of who answers. */
interface Mounted {
  readonly send: (path: string, init?: RequestInit) => Promise<Response>;
}

const url = 'http://127.0.0.1';
const mounts: Record<string, (office: NodeBackOffice) => Promise<Mounted>> = {
  async server(office) {
    const at = await listen(createHttpServer(openSessions(office)));
    return { send: (path, init) => fetch(`${at}${path}`, init) };
  },
  async express(office) {
    const at = await serveApp(express().use(createExpressRouter(office)));
    return { send: (path, init) => fetch(`${at}${path}`, init) };
  },
  async 'office.fetch'(office) {
    return { send: (path, init) => office.fetch(path, init) };
  },
  async listen(office) {
    office.listen();
    onTestFinished(() => office.close());
    return { send: (path, init) => fetch(`http://shop.test${path}`, init) };
  },
  async dispatcher(office) {
    const dispatcher = { dispatcher: office.dispatcher() };
    return { send: (path, init) => fetch(`http://shop.test${path}`, { ...init, ...dispatcher }) };
  },
  async createFetchHandler() {
    const handle = createFetchHandler({ allowedHosts: ['127.0.0.1'] });
    return { send: (path, init) => handle(new Request(`${url}${path}`, init)) };
  },
};

/** Opens a mount with functions that read its history by its control API. */
async function open(name: string) {
  const office = createBackOffice({ history: true });
  const { send } = await mounts[name]!(office);
  const json = async (path: string) => (await send(path)).json();
  const summaries = async () => (await json('/_backlot/journal?view=summary')).summaries;
  const control = (path: string, body: object) =>
    send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const request = async () =>
    (await summaries()).find((one: { by: string }) => one.by === 'request');
  /** Waits until the request has a state, and returns its summary. */
  const until = async (state: string) => {
    await expect.poll(async () => (await request())?.state, { interval: 5 }).toBe(state);
    return request();
  };
  return { send, json, control, until };
}

test.each(Object.keys(mounts))(
  'an entry by %s is held without a status and a duration until its response is sent',
  async (name) => {
    const { send, json, control, until } = await open(name);
    await control('/_backlot/faults', { match: { path: '/api/users/*' }, hold: 'users' });
    const response = send('/api/users/1');
    const held = await until('held');
    expect(held).not.toHaveProperty('status');
    expect(held).not.toHaveProperty('ms');
    const [entry] = (await json('/_backlot/journal')).entries;
    expect(entry).toMatchObject({ state: 'held', answer: { status: 0, headers: {} } });
    expect(entry.answer).not.toHaveProperty('body');
    await new Promise((resolve) => {
      setTimeout(resolve, 30);
    });
    await control('/_backlot/holds/users/release', {});
    expect((await response).status).toBe(200);
    const sent = await until('sent');
    expect(sent).toMatchObject({ id: held.id, status: 200 });
    expect(sent.ms).toBeGreaterThan(25);
    const har = (await json('/_backlot/journal/export?as=har')).log.entries[0];
    expect(har).toMatchObject({ time: sent.ms, _state: 'sent', response: { status: 200 } });
    const [after] = (await json('/_backlot/journal')).entries;
    expect(after).toMatchObject({ state: 'sent', answer: { status: 200, body: { id: 1 } } });
  },
);

test.each(Object.keys(mounts))(
  'an entry by %s is delayed, and its duration has the delay',
  async (name) => {
    const { send, until } = await open(name);
    const response = send('/api/users/1', { headers: { prefer: 'delay=2s' } });
    expect(await until('delayed')).not.toHaveProperty('status');
    await response;
    const { status, ms } = await until('sent');
    expect(status).toBe(200);
    expect(ms).toBeGreaterThan(95);
  },
);

test.each(Object.keys(mounts))(
  'an entry by %s says that the client left before the response',
  async (name) => {
    const { send, json, control, until } = await open(name);
    await control('/_backlot/faults', { hold: 'all', delay: 5000 });
    const client = new AbortController();
    const response = send('/api/users/1', { signal: client.signal }).catch(() => undefined);
    await until('held');
    client.abort();
    await response;
    const left = await until('client-left');
    expect(left).not.toHaveProperty('status');
    const har = (await json('/_backlot/journal/export?as=har')).log.entries[0];
    expect(har).toMatchObject({ _state: 'client-left', response: { status: 0 } });
  },
);

test('a connection that a fault drops after a delay is delayed, then dropped', async () => {
  const { send, control, until } = await open('server');
  await control('/_backlot/faults', { connection: 'drop', delay: 2000 });
  const response = send('/api/users/1').catch(() => undefined);
  expect(await until('delayed')).not.toHaveProperty('status');
  await response;
  expect(await until('dropped')).toMatchObject({ status: 0, outcome: 'dropped' });
});

test('a response that is delayed after its hold is held, then delayed, then sent', async () => {
  const office = createBackOffice({ history: true });
  office.faults.add({ hold: 'all', delay: 20 });
  const states: unknown[] = [];
  office.history.on(({ by, state }) => void (by === 'request' && states.push(state)));
  const response = office.fetch('/api/users/1');
  await expect.poll(() => office.held().length).toBe(1);
  office.release('all');
  await response;
  expect(states).toEqual(['held', 'delayed', 'sent']);
});

test('a held request was received, and has no status until its response is sent', async () => {
  const office = createBackOffice();
  office.faults.add({ hold: 'all' });
  const response = office.fetch('/api/users/1');
  await expect.poll(() => office.held().length).toBe(1);
  toHaveReceived(office, 'GET /api/users/:user_id', { times: 1 });
  toHaveReceived(office, 'GET /api/users/:user_id', { status: 200, times: 0 });
  expect(() => office.journal.verify({ status: 200 })).toThrow('GET /api/users/1 → held');
  const answered = office.journal.waitFor({ status: 200 });
  const twice = office.journal.waitFor({ request: '/api/users/*' }, { times: 2 });
  office.release('all');
  await response;
  expect(await answered).toMatchObject({ id: 1, state: 'sent' });
  office.faults.clear();
  await office.fetch('/api/users/2');
  expect(await twice).toMatchObject({ id: 2 });
});

test('a request that is aborted before it is sent reaches no back office', async () => {
  const office = createBackOffice();
  const signal = AbortSignal.abort();
  await expect(office.fetch('/api/users/1', { method: 'DELETE', signal })).rejects.toThrow(
    'aborted',
  );
  expect(office.journal.count()).toBe(0);
});

test('an entry beyond the limit of delayed responses has the response that was sent', async () => {
  const office = createBackOffice({ history: true });
  const at = await listen(createHttpServer(openSessions(office), { maxWaiting: 0 }));
  const { status } = await fetch(`${at}/api/users/1`, { headers: { prefer: 'delay=2s' } });
  expect(status).toBe(429);
  expect(office.journal.entries()).toMatchObject([{ state: 'sent', answer: { status: 429 } }]);
});

test('a client of events receives an entry again when its response is sent, also after a reconnection', async () => {
  const office = createBackOffice({ history: true });
  const at = await listen(createHttpServer(openSessions(office)));
  office.faults.add({ match: { path: '/api/orders' }, hold: 'orders' });
  const events = await fetch(`${at}/_backlot/events`);
  const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const read = async (wanted: string): Promise<void> => {
    while (!text.includes(wanted)) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`The events ended before ${wanted}`);
      text += value;
    }
  };
  const response = fetch(`${at}/api/orders/`);
  await read('"state":"held"');
  await fetch(`${at}/api/users/1`);
  await read('"/api/users/1"'.slice(1, -1));
  office.release('orders');
  await response;
  await read('/api/orders/","status":200,"state":"sent"');
  const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  expect(ids).toEqual(ids.toSorted((one, other) => one - other));
  await reader.cancel();
  const missed = await fetch(`${at}/_backlot/events`, {
    headers: { 'last-event-id': String(ids.at(-1)) },
  });
  const again = missed.body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await again.read()).value).toContain('/api/orders/","status":200,"state":"sent"');
  await again.cancel();
});

test('the log of a server has the time, the duration that the history has, the session and the client', async () => {
  const office = createBackOffice({ history: true });
  const lines: string[] = [];
  const log = requestLog((line) => void lines.push(line));
  const at = await listen(createHttpServer(openSessions(office), { log }));
  await fetch(`${at}/api/users/1`, { headers: { prefer: 'delay=20ms' } });
  await expect.poll(() => lines.length).toBe(1);
  const named = { 'x-backlot-session': 'ada', 'user-agent': 'checkout-web/2.1' };
  await fetch(`${at}/api/users/1`, { headers: named });
  await expect.poll(() => lines.length).toBe(2);
  expect(lines[1]).toContain(' ms  session ada, checkout-web');
  const [{ ms } = {}] = office.history.entries();
  expect(lines[0]).toMatch(/^\S*\d\d:\d\d:\d\d\S* GET /);
  expect(lines[0]).toContain(`${ms} ms`);
});

test('a client that closes its socket has left', async () => {
  const office = createBackOffice({ history: true });
  const at = new URL(await listen(createHttpServer(openSessions(office))));
  const socket = connect(Number(at.port), at.hostname);
  await once(socket, 'connect');
  socket.write('GET /api/users/1 HTTP/1.1\r\nHost: 127.0.0.1\r\nPrefer: delay=10s\r\n\r\n');
  await expect.poll(() => office.history.entries()[0]?.state).toBe('delayed');
  socket.destroy();
  await expect.poll(() => office.history.entries()[0]?.state).toBe('client-left');
});

test('a trace that was saved while a request waited opens with its state and outcome', async () => {
  const office = createBackOffice({ history: true });
  office.faults.add({ hold: 'all' });
  const client = new AbortController();
  const response = office.fetch('/api/users/1', { signal: client.signal }).catch(() => undefined);
  await expect.poll(() => office.held().length).toBe(1);
  const waiting = office.history.trace();
  client.abort();
  await response;
  for (const [trace, state] of [
    [waiting, 'held'],
    [office.history.trace(), 'client-left'],
  ] as const) {
    const opened = createBackOffice();
    opened.import(JSON.parse(JSON.stringify(trace)));
    const entry = opened.history.entries().find(({ by }) => by === 'request');
    expect(entry).toMatchObject({ state, outcome: 'ok' });
    expect(entry).not.toHaveProperty('status');
  }
});
