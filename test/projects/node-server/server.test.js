import { createBackOffice } from 'backlot';
import { createExpressRouter, openBackOffice } from 'backlot/express';
import { createBackOffice as createListening } from 'backlot/node';
import express from 'express';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';

/** Serves an Express application and returns the status of a path. */
async function statusOf(app, path) {
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    return (await fetch(`http://127.0.0.1:${server.address().port}${path}`)).status;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

test('MSW and test runners are not installed', () => {
  for (const name of ['msw', 'vitest', '@jest/globals'])
    assert.ok(!existsSync(`node_modules/${name}`), name);
});

test('interception says that it requires MSW, and where to read about it', () => {
  const block = 'blocks/errors-msw-not-installed.ts';
  const printed = execFileSync(process.execPath, [block], { encoding: 'utf8' });
  assert.match(printed, /\/errors#msw-not-installed/);
});

test('an Express application answers from a back office of backlot/express', async () => {
  const app = express().use(createExpressRouter(openBackOffice()));
  assert.equal(await statusOf(app, '/api/users/1'), 200);
});

test('an Express application answers from a back office of backlot, as in README', async () => {
  const app = express();
  app.get('/hello', (_request, response) => {
    response.send('from your own app');
  });
  app.use('/backend', createExpressRouter(createBackOffice({ scenario: 'sale' })));
  assert.equal(await statusOf(app, '/backend/api/users/1'), 200);
  assert.equal(await statusOf(app, '/hello'), 200);
});

test('the client fetch is intercepted without MSW', async () => {
  using office = createListening();
  office.listen({ clients: 'fetch' });
  assert.equal((await fetch('https://shop.test/api/users/1')).status, 200);
});

test('handlers and listen say that MSW is missing, and what to install', async () => {
  const message =
    /require MSW, which is not installed: run npm install --save-dev msw\. See \S+#msw-not-installed$/;
  assert.throws(() => createBackOffice().handlers, { message });
  const before = globalThis.fetch;
  using office = createListening();
  assert.throws(() => office.listen(), { message });
  assert.equal(office.listening(), false);
  assert.equal(globalThis.fetch, before);
  await assert.rejects(fetch('http://127.0.0.1:1/api/users/1'), /fetch failed/);
});
