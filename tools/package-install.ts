import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { usePage } from './package-page.ts';
import { runDownload } from './run-download.ts';
import type { Run } from './run.ts';

/**
 * Installs the package into an empty project, as its users do, and uses it there under Node 22 and the Node that runs
 * this: first what needs no other package, then Express and what intercepts requests, then a page.
 */
export async function useInstalled(tarball: string, folder: string, run: Run): Promise<void> {
  mkdirSync(folder);
  const manifest = { private: true, type: 'module', allowScripts: { node: true } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const install = (...packages: string[]): Promise<string> =>
    runDownload(
      'npm',
      ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', ...packages],
      folder,
    );
  await install(tarball, 'node@22');
  const nodes = [join(folder, 'node_modules/node/bin/node'), process.execPath];
  for (const name of ['express', 'msw', 'vitest']) {
    if (existsSync(join(folder, 'node_modules', name))) throw new Error(`installs ${name} unasked`);
  }
  for (const node of nodes) {
    await run(node, ['node_modules/backlot/dist/cli/main.js', '--version'], folder);
    await run(node, ['--input-type=module', '--eval', handler], folder);
  }
  await install('express@5.3.0', 'msw@3.0.5', 'vitest@5.1.0', 'zod@4.0.5');
  writeFileSync(join(folder, 'shop.test.js'), suite);
  writeFileSync(join(folder, 'shop.spec.js'), vitestSuite);
  for (const node of nodes) {
    await run(node, ['--input-type=module', '--eval', server], folder);
    await run(node, ['--input-type=module', '--eval', client], folder);
    await run(node, ['--input-type=module', '--eval', definition], folder);
    await run(node, ['--eval', commonJs], folder);
    await run(node, ['--input-type=module', '--eval', ownServer], folder);
    await run(node, ['--test', 'shop.test.js'], folder);
    await run(node, ['node_modules/vitest/vitest.mjs', 'run', 'shop.spec.js'], folder);
  }
  await usePage(folder, run);
  await install('msw@2.15.0');
  for (const node of nodes) {
    await run(node, ['--input-type=module', '--eval', client], folder);
    await run(node, ['--input-type=module', '--eval', ownServer], folder);
  }
}

const handler = `
  import { createFetchHandler } from 'backlot/fetch';
  import { contract, pathOf, UserView } from 'backlot/contract';
  import assert from 'node:assert/strict';
  const handle = createFetchHandler();
  const path = pathOf('GET /api/users/:user_id', { user_id: 1 });
  UserView.parse(await (await handle(new Request('http://localhost' + path))).json());
  assert.ok(contract.length > 40);
`;

const server = `
  import { createExpressRouter, openBackOffice } from 'backlot/express';
  import { pathOf, UserView } from 'backlot/contract';
  import express from 'express';
  const app = express().use(createExpressRouter(openBackOffice()));
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = 'http://127.0.0.1:' + server.address().port;
  const response = await fetch(url + pathOf('GET /api/users/:user_id', { user_id: 1 }));
  UserView.parse(await response.json());
  server.close();
  server.closeAllConnections();
`;

const client = `
  import { createBackOffice } from 'backlot';
  import { UserView } from 'backlot/contract';
  import * as z from 'zod';
  import { createBackOffice as createListening } from 'backlot/node';
  import assert from 'node:assert/strict';
  import http from 'node:http';
  const backOffice = createBackOffice();
  assert.equal((await backOffice.fetch('/api/users/1')).status, 200);
  const user = await (await backOffice.fetch('/api/users/1')).json();
  const users = z.object({ users: z.array(UserView), one: z.optional(UserView) });
  assert.deepEqual(users.parse({ users: [user] }), { users: [user] });
  assert.deepEqual(users.safeParse({ users: [{ ...user, id: 'x' }] }).error.issues[0].path, ['users', 0, 'id']);
  assert.ok(z.toJSONSchema(users));
  assert.ok(backOffice.handlers.length > 40);
  const office = createListening();
  office.listen();
  assert.equal((await fetch('http://shop.test/api/users/1')).status, 200);
  assert.equal(await new Promise((resolve, reject) =>
    http.get('http://shop.test/api/users/1', (answer) => resolve(answer.statusCode)).on('error', reject)), 200);
  assert.equal(office.given.anOrder({ at: 'completed' }).state, 'confirmed');
  office.close();
`;

/** The zod of the user is another copy than that in the package, and older. */
const definition = `
  import { createBackOffice } from 'backlot';
  import { UserView } from 'backlot/contract';
  import { defineApi, extendApi, field, resource, storeApi } from 'backlot/define';
  import * as z from 'zod';
  import assert from 'node:assert/strict';
  const code = z.string().regex(/^[A-Z]{3}$/, 'Three capitals, please.');
  const fields = { code: { ...field.text(), stored: code, sent: code } };
  const resources = { shelves: resource({ singular: 'shelf', fields }) };
  const scenarios = { default: { data: { shelves: [{ code: 'ABC' }] } } };
  const office = createBackOffice({ api: defineApi({ name: 'shelves', resources, scenarios }) });
  const send = (code) => office.fetch('/api/shelves/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  assert.equal((await send('XYZ')).status, 201);
  const { errors } = await (await send('xyz')).json();
  assert.deepEqual(errors.children.code.errors, ['Three capitals, please.']);
  const document = await (await office.fetch('/_backlot/openapi.json')).json();
  assert.equal(document.components.schemas.Shelf.properties.code.pattern, '^[A-Z]{3}$');
  const mixed = z.toJSONSchema(z.object({ user: UserView, code })).properties;
  assert.equal(mixed.user.properties.email.type, 'string');
  assert.equal(mixed.code.pattern, '^[A-Z]{3}$');
  const mine = { extends: 'empty', description: 'Without orders' };
  const extended = extendApi(storeApi, { ids: { users: 'uuid' }, scenarios: { mine } });
  const shop = createBackOffice({ api: extended, scenario: 'mine' });
  assert.equal(shop.db.orders.count(), 0);
`;

/** Node.js requires ES modules. */
const commonJs = `
  const { createBackOffice } = require('backlot/node');
  const office = createBackOffice({ history: true });
  office.fetch('/api/users/1').then(({ status }) => {
    if (status !== 200 || office.history.entries().length !== 1) process.exit(1);
  });
`;

/** The handlers are of the MSW that the user imports. */
const ownServer = `
  import { createBackOffice } from 'backlot';
  import { http, HttpResponse } from 'msw';
  import { setupServer } from 'msw/node';
  import assert from 'node:assert/strict';
  const { handlers } = createBackOffice();
  assert.ok(handlers[0] instanceof http.get('/', () => HttpResponse.json({})).constructor);
  const server = setupServer(...handlers);
  server.listen();
  assert.equal((await fetch('http://shop.test/api/users/1')).status, 200);
  server.close();
`;

/** As it is written for the test runner of Node; Jest takes the same. */
const suite = `
  import { createBackOffice } from 'backlot/node';
  import assert from 'node:assert/strict';
  import { after, beforeEach, test } from 'node:test';
  const office = createBackOffice();
  office.listen();
  beforeEach(() => office.reset());
  after(() => office.close());
  for (const time of [1, 2]) {
    test('a declined card leaves the order unpaid, time ' + time, async () => {
      office.given.theScript({ on: 'purchase', outcome: 'declined' });
      const { id, payments } = office.given.anOrder({ at: 'completed' });
      assert.equal(payments[0].state, 'failed');
      await fetch('http://shop.test/api/orders/' + id + '/');
      office.journal.verify('GET /api/orders/:order_id/', { times: 1 });
    });
  }
`;

const vitestSuite = `
  import { expect } from 'vitest';
  import { test } from 'backlot/vitest';
  test('a back office of its own', async ({ office }) => {
    const { id } = office.given.anOrder({ awaits: 'confirm' });
    await fetch('http://shop.test/api/checkouts/' + id, { method: 'PUT' });
    expect(office).toHaveReceived('PUT /api/checkouts/:order_id', { times: 1, step: 'confirm' });
  });
`;
