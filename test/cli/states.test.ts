import { expect, test } from 'vitest';
import { runCommand, startServer } from '../support/command.ts';

test('states lists each state with a sentence below a heading, and prints each way to open one', async () => {
  const list = await runCommand('states');
  expect(list.code).toBe(0);
  const groups = list.out.split('\n\n').slice(0, -1);
  expect(groups.map((group) => /^.*\n\S+/.exec(group)?.[0])).toEqual([
    'Scenarios:\ndefault',
    'Order states:\norder.awaiting-addressing',
    'Payment states:\npayment.new',
    'Shipment states:\nshipment.checkout',
    'Inventory unit states:\ninventory_unit.checkout',
  ]);
  for (const [at, record] of ['order', 'payment', 'shipment', 'inventory_unit'].entries())
    for (const line of groups[at + 1]?.split('\n').slice(1) ?? [])
      expect(line).toMatch(new RegExp(`^${record}\\.\\S+ +An order `));
  expect(list.out).toMatch(/^order\.awaiting-payment +An order that awaits the step payment\.$/m);
  expect((await runCommand('states', 'payment.failed')).out)
    .toBe(`payment.failed: An order whose payment is in the state failed, to which fail leads.

in a terminal  npx backlot open payment.failed
by curl        curl -X POST http://127.0.0.1:4000/_backlot/states/payment.failed
by a link      http://127.0.0.1:4000/_backlot/begin?state=payment.failed
in a page      startWorker({ state: 'payment.failed' })
in a test      const { id } = office.given.anOrder({ at: 'completed', card: '4000000000000002' });
`);
});

test('open prints the id of the order, its part in the state, its address and what it awaits', async () => {
  const { url, call } = await startServer();
  const { code, out } = await runCommand('open', 'order.awaiting-payment', url);
  const [, id] = /^order (\d+) awaits payment$/m.exec(out) ?? [];
  expect({ code, out }).toEqual({
    code: 0,
    out: `order ${id} awaits payment
address ${url}/api/orders/${id}/
next    curl -X PUT ${url}/api/checkouts/${id} --json '{"paymentMethod":1}'
studio  ${url}/_backlot/#/orders/${id}
`,
  });
  expect((await call(`GET /api/orders/${id}/`)).body.checkout_state).toBe('shipping');
  const json = await runCommand('open', 'order.shipped', url, '--json');
  expect(JSON.parse(json.out)).toMatchObject({ state: 'order.shipped', record: 'order' });
  const failed = await runCommand('open', 'payment.failed', url);
  const [, payment] =
    /^order \d+ awaits purchase\npayment (\d+) is failed$/m.exec(failed.out) ?? [];
  expect((await call(`GET /api/payments/${payment}`)).body.state).toBe('failed');
  expect((await runCommand('open', 'sale', url)).out).toContain('The shop is reset to sale.');
  expect((await call('GET /_backlot/health')).body.scenario).toBe('sale');
});

test('states and open say what is wrong with a name, and with the server', async () => {
  const { url } = await startServer();
  for (const [words, message] of [
    [['states', 'order.shiped'], "State 'order.shiped' not found. Did you mean order.shipped?"],
    [['open', 'order.shiped', url], "State 'order.shiped' not found. Did you mean order.shipped?"],
    [['open'], 'open requires the name of one state. `backlot states` lists them.'],
    [['open', 'sale', 'http://127.0.0.1:1'], 'No response from http://127.0.0.1:1.'],
  ] as const) {
    const { code, err } = await runCommand(...words);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) });
  }
});
