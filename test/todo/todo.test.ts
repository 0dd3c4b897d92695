import express from 'express';
import { setupServer } from 'msw/node';
import { expect, test } from 'vitest';
import { createBackOffice } from '../../src/mounts/node.ts';
import { createExpressRouter } from '../../src/mounts/express.ts';
import { createHttpServer } from '../../src/mounts/server/server.ts';
import { openBackOffice } from '../../src/engine/office/open-back-office.ts';
import { openSessions } from '../../src/engine/sessions/server.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import { listen, serveApp } from '../support/raw-http.ts';
import { todoApi } from './api.ts';

type Send = (path: string, init?: RequestInit) => Promise<Response>;

const post = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

type Told = [status: number, location: string | null, body: unknown];

/** Sends the requests of a client and of a person in the studio. Returns what is answered. */
async function converse(send: Send): Promise<Told[]> {
  const told: Told[] = [];
  const tell = async (path: string, init?: RequestInit) => {
    const response = await send(path, init);
    const text = await response.text();
    told.push([
      response.status,
      response.headers.get('location'),
      text === '' ? '' : JSON.parse(text),
    ]);
  };
  await tell('/api/todos/');
  await tell('/api/todos/', post({ title: 'Sing' }));
  await tell('/api/todos/', post({ title: 'S', colour: 'red' }));
  await tell('/api/todos/1', { ...post({ done: false }), method: 'PATCH' });
  await tell('/api/todos/9');
  await tell('/api/todos/2', { method: 'DELETE' });
  await tell(
    '/_backlot/faults',
    post({ match: { path: '/api/todos/:id' }, status: 503, first: 1 }),
  );
  await tell('/api/todos/1');
  await tell('/api/todos/1');
  await tell('/_backlot/journal/count?status=503');
  await tell('/_backlot/tables');
  await tell('/_backlot/export');
  await tell('/_backlot/reset', { method: 'POST' });
  await tell('/api/todos/');
  return told;
}

const open = () => createBackOffice({ api: todoApi, history: true });

const mounts: Record<string, () => Promise<Told[]>> = {
  async 'msw, one handler for each endpoint'() {
    const office = open();
    const server = setupServer(...office.handlers);
    server.listen();
    try {
      return await converse(fetchAt('http://localhost'));
    } finally {
      server.close();
    }
  },
  async listen() {
    using office = open();
    office.listen();
    return await converse(fetchAt('http://localhost'));
  },
  async 'a session of a server'() {
    const shared = openBackOffice({ api: todoApi, history: true });
    const url = await listen(createHttpServer(openSessions(shared), {}));
    return converse((path, init) => {
      const request = new Request(`${url}${path}`, init);
      request.headers.set('x-backlot-session', 'ada');
      return fetch(request);
    });
  },
  async Express() {
    const shared = openStoreOffice({ api: todoApi, history: true });
    const url = await serveApp(express().use(createExpressRouter(shared)));
    return converse(fetchAt(url));
  },
};

function fetchAt(url: string): Send {
  return (path, init) => fetch(`${url}${path}`, init);
}

test.each(Object.keys(mounts))('a second API answers the same in %s', async (name) => {
  const office = open();
  const expected = await converse((path, init) => office.fetch(path, init));
  expect(expected.map(([status]) => status)).toEqual([
    200, 201, 400, 204, 404, 204, 201, 503, 200, 200, 200, 200, 200, 200,
  ]);
  expect(expected.at(1)?.[1]).toMatch(/\/api\/todos\/3$/);
  expect(expected.at(2)?.[2]).toMatchObject({
    errors: { errors: ['This form should not contain extra fields.'], children: { title: {} } },
  });
  expect(expected.at(-1)?.[2]).toEqual(expected[0]?.[2]);
  expect(await mounts[name]?.()).toEqual(expected);
});

test('a second API has its own documents, history and snapshots', async () => {
  const office = open();
  const { paths } = await (await office.fetch('/_backlot/openapi.json')).json();
  expect(Object.keys(paths).filter((path) => path.startsWith('/api/'))).toEqual([
    '/api/todos/',
    '/api/todos/{id}',
  ]);
  expect(Object.keys(paths).filter((path) => /order|stock|given/.test(path))).toEqual([
    '/_backlot/given/aTodo',
  ]);
  await office.fetch('/api/todos/', post({ title: 'Sing' }));
  expect(office.history.past('todos', 3)).toMatchObject({ record: { title: 'Sing' } });
  office.rewind(1, 'before');
  expect(office.export().tables['todos']?.rows).toHaveLength(2);
});

test('a refused request of another API is explained', async () => {
  const office = createBackOffice({ api: todoApi, history: true });
  await office.fetch('/api/todos/', post({ title: 'S' }));
  expect(office.explain.entry(1)).toMatchObject({
    outcome: 'rejected',
    refused: [{ path: ['title'], sent: 'S', rule: 'at least 2 characters' }],
    faults: [],
    script: [],
  });
});
