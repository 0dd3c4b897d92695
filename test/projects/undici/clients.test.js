import { createBackOffice } from 'backlot/node';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, afterEach, before, test } from 'node:test';

const received = [];
const server = createServer(({ url }, response) => {
  received.push(url);
  response.end('network');
});
let origin;
before(async () => {
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
});
afterEach(() => assert.deepEqual(received, []));
after(() => {
  server.close();
  server.closeAllConnections();
});

for (const version of ['undici6', 'undici7', 'undici8']) {
  const { Agent, Client, Pool, request, fetch: undiciFetch } = await import(version);

  test(`${version}: clients with connections of their own are rejected`, async () => {
    using office = createBackOffice({ baseUrl: origin });
    office.listen();
    for (const client of [new Agent(), new Pool(origin), new Client(origin)]) {
      const sent = request(`${origin}/api/users/1`, { dispatcher: client });
      await assert.rejects(sent, /office\.dispatcher\(\)/);
      const fetched = undiciFetch(`${origin}/api/users/1`, { dispatcher: client });
      await assert.rejects(fetched, ({ cause }) => /office\.dispatcher\(\)/.test(cause.message));
      await client.destroy();
    }
  });

  test(`${version}: office.dispatcher() answers`, async () => {
    const office = createBackOffice();
    const dispatcher = office.dispatcher();
    const url = 'http://shop.example/api/orders/';
    const body = JSON.stringify({ channel: 1, user: 1, currency: 'EUR' });
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const { statusCode, body: stream } = await request(url, { ...post, dispatcher });
    assert.equal(statusCode, 201);
    assert.equal((await stream.json()).state, 'cart');
    assert.equal((await undiciFetch(url, { ...post, dispatcher })).status, 201);
  });
}

test('office.dispatcher() answers fetch of Node.js', async () => {
  const dispatcher = createBackOffice().dispatcher();
  const response = await fetch('http://shop.example/api/users/1', { dispatcher });
  assert.equal((await response.json()).id, 1);
  const request = new Request('http://shop.example/api/users/1', { dispatcher });
  assert.equal((await fetch(request)).status, 200);
});
