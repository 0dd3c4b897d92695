import express from 'express';
import { setupServer } from 'msw/node';
import { expect, test } from 'vitest';
import { createExpressRouter } from '../../src/mounts/express.ts';
import { createHttpServer } from '../../src/mounts/http/server.ts';
import { createBackOffice } from '../../src/mounts/node.ts';
import { createTest } from '../../src/mounts/vitest.ts';
import { openSessions } from '../../src/engine/sessions/server.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import { company } from '../support/company-api.ts';
import { conversation } from '../support/company-conversation.ts';
import { listen, serveApp } from '../support/raw-http.ts';

const inProcess = (): Promise<readonly string[]> => {
  const office = createBackOffice({ api: company, history: true });
  return conversation((path, init) => office.fetch(path, init));
};
const at =
  (url: string) =>
  (path: string, init?: RequestInit): Promise<Response> =>
    fetch(`${url}${path}`, init);
const opened = () => openStoreOffice({ api: company, history: true });

const mounts: Record<string, () => Promise<readonly string[]>> = {
  async 'msw, one handler for each endpoint'() {
    const server = setupServer(...createBackOffice({ api: company, history: true }).handlers);
    server.listen();
    try {
      return await conversation(at('http://shop.test'));
    } finally {
      server.close();
    }
  },
  async listen() {
    using office = createBackOffice({ api: company, history: true });
    office.listen();
    return await conversation(at('http://shop.test'));
  },
  Express: async () =>
    conversation(at(await serveApp(express().use(createExpressRouter(opened()))))),
  async 'a session of a server'() {
    const url = await listen(createHttpServer(openSessions(opened()), {}));
    return conversation((path, init) => {
      const request = new Request(`${url}${path}`, init);
      request.headers.set('x-backlot-session', 'ada');
      return fetch(request);
    });
  },
};

test.each(Object.keys(mounts))('an extended API answers the same in %s', async (name) => {
  const expected = await inProcess();
  expect(expected.map((text) => text.slice(0, 3))).toEqual(
    '200 204 200 400 400 201 200 201 200 201 503 204 404 200 200'.split(' '),
  );
  expect(await mounts[name]?.()).toEqual(expected);
});

createTest({ api: company })('a test has the tables of its API', async ({ office }) => {
  await fetch('http://shop.test/api/v1/wishlists/1', { method: 'DELETE' });
  const names: readonly string[] = office.db.wishlists.all().map(({ name }) => name);
  expect(names).toEqual([]);
  expect(office).toHaveReceived('DELETE /api/v1/wishlists/:id', { times: 1 });
});
