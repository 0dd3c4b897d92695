import express from 'express';
import { setupServer } from 'msw/node';
import { expect, test } from 'vitest';
import { createExpressRouter } from '../../src/mounts/express.ts';
import { createHttpServer } from '../../src/mounts/server/server.ts';
import { createBackOffice } from '../../src/mounts/node.ts';
import { createTest } from '../../src/mounts/vitest.ts';
import type { TypedApi } from '../../src/engine/definition/api.ts';
import { openSessions } from '../../src/engine/sessions/server.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import { company } from '../support/company-api.ts';
import { conversation } from '../support/company-conversation.ts';
import { uuidShop } from '../support/uuid-api.ts';
import { uuidConversation } from './uuid-conversation.ts';
import { listen, serveApp } from '../support/raw-http.ts';

interface Shop {
  readonly api: TypedApi<unknown>;
  readonly conversation: typeof conversation;
  readonly statuses: string;
}

const shops: Readonly<Record<string, Shop>> = {
  'a company': {
    api: company,
    conversation,
    statuses: '200 204 200 400 400 201 200 201 200 201 503 204 404 200 200',
  },
  'a shop with UUIDs': {
    api: uuidShop,
    conversation: uuidConversation,
    statuses: '200 201 201 200 200 200 200 200 200 200 200 200 404 400',
  },
};

const inProcess = (api: Shop['api'], talk: Shop['conversation']): Promise<readonly string[]> => {
  const office = createBackOffice({ api, history: true });
  return talk((path, init) => office.fetch(path, init));
};
const at =
  (url: string) =>
  (path: string, init?: RequestInit): Promise<Response> =>
    fetch(`${url}${path}`, init);
const opened = (api: Shop['api']) => openStoreOffice({ api, history: true });

const mounts: Record<string, typeof inProcess> = {
  async 'msw, one handler for each endpoint'(api, talk) {
    const server = setupServer(...createBackOffice({ api, history: true }).handlers);
    server.listen();
    try {
      return await talk(at('http://shop.test'));
    } finally {
      server.close();
    }
  },
  async listen(api, talk) {
    using office = createBackOffice({ api, history: true });
    office.listen();
    return await talk(at('http://shop.test'));
  },
  Express: async (api, talk) =>
    talk(at(await serveApp(express().use(createExpressRouter(opened(api)))))),
  async 'a session of a server'(api, talk) {
    const url = await listen(createHttpServer(openSessions(opened(api)), {}));
    return talk((path, init) => {
      const request = new Request(`${url}${path}`, init);
      request.headers.set('x-backlot-session', 'ada');
      return fetch(request);
    });
  },
};

test.for(Object.keys(shops).flatMap((shop) => Object.keys(mounts).map((name) => [shop, name])))(
  '%s answers the same in %s',
  async ([shop = '', name = '']) => {
    const { api, conversation: talk, statuses } = shops[shop]!;
    const expected = await inProcess(api, talk);
    expect(expected.map((text) => text.slice(0, 3))).toEqual(statuses.split(' '));
    expect(await mounts[name]?.(api, talk)).toEqual(expected);
  },
);

createTest({ api: company })('a test has the tables of its API', async ({ office }) => {
  await fetch('http://shop.test/api/v1/wishlists/1', { method: 'DELETE' });
  const names: readonly string[] = office.db.wishlists.all().map(({ name }) => name);
  expect(names).toEqual([]);
  expect(office).toHaveReceived('DELETE /api/v1/wishlists/:id', { times: 1 });
});
