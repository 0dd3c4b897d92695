import { createBackOffice, defineScenario, Problem } from 'backlot/node';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';

const url = 'https://shop.test/api/orders/?limit=1';

async function total() {
  return (await (await fetch(url)).json()).total;
}

test('within and enter choose the back office of concurrent tests', async () => {
  const one = createBackOffice();
  const other = createBackOffice({ scenario: 'empty' });
  one.listen();
  other.listen();
  try {
    const totals = await Promise.all([one.within(total), other.within(total), one.within(total)]);
    assert.ok(totals[0] > 0);
    assert.deepEqual(totals, [totals[0], 0, totals[0]]);
    await Promise.all([
      (async () => {
        one.enter();
        assert.equal(await total(), totals[0]);
      })(),
      (async () => {
        other.enter();
        assert.equal(await total(), 0);
      })(),
    ]);
  } finally {
    one.close();
    other.close();
  }
});

test('onUnhandledRequest decides on requests outside of the store API', async () => {
  const server = createServer((_, response) => response.end('own')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const own = `http://127.0.0.1:${server.address().port}/health`;
  const office = createBackOffice({ baseUrl: 'https://shop.test' });
  try {
    office.listen({ onUnhandledRequest: 'bypass' });
    assert.equal(await (await fetch(own)).text(), 'own');
    office.close();
    const seen = [];
    const onUnhandledRequest = ({ url: unhandled }, message) => {
      seen.push(unhandled);
      throw new Error(message);
    };
    office.listen({ onUnhandledRequest });
    await assert.rejects(fetch('https://elsewhere.test/health'));
    assert.deepEqual(seen, ['https://elsewhere.test/health']);
    office.close();
    office.listen();
    await assert.rejects(fetch('https://elsewhere.test/api/orders/'));
  } finally {
    office.close();
    server.close();
    server.closeAllConnections();
  }
});

test('backlot/node exports what backlot does', () => {
  const scenario = defineScenario({ name: 'own', description: 'Mine', extends: 'default' });
  assert.equal(createBackOffice({ scenario }).scenario.name, 'own');
  assert.throws(() => createBackOffice({ scenario: 'sales' }), Problem);
});
