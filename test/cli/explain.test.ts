import { createServer } from 'node:http';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { createHttpServer } from '../../src/mounts/server/server.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import type { StoreOffice } from '../../src/shop/office/store-office.ts';
import { openSessions, type SessionOptions } from '../../src/engine/sessions/server.ts';
import { runCommand } from '../support/command.ts';
import { listen } from '../support/raw-http.ts';
import { sample } from '../support/runs.ts';

/** Starts a server of the scenario `sale` for one test. */
async function serve(
  options: SessionOptions = {},
): Promise<{ readonly url: string; readonly office: StoreOffice }> {
  const office = openStoreOffice({ scenario: 'sale' });
  return { office, url: await listen(createHttpServer(openSessions(office, options))) };
}

test('explain prints the lines of an order in columns, and what does not apply with its reasons', async () => {
  const { url } = await serve();
  const { code, out } = await runCommand('explain', url, 'order', '3');
  expect(code).toBe(0);
  expect(stripVTControlCharacters(out)).toBe(`Order 3, cart: 129.10 EUR

  Summer Quilt              1 × 149.00                                                   149.00
  VAT (23%)                 27.86, included in prices                                    (27.86)
    ✓ a zone with Westport, Ireland: Ireland
    ✓ a rate for Standard goods: VAT (23%)
  An Post Standard          flexible rate 4.50 + 0 × 1.00, 1 unit from Galway warehouse    4.50
    ✓ a zone with Westport, Ireland: Ireland
  Free delivery in Ireland  100 % of shipping 4.50                                        -4.50
    ✓ delivery to Ireland: Ireland
  Newsletter 10 %           10 % of items 149.00                                         -14.90
    ✓ the coupon SPRING10, LASTONE, USEDUP or 2 others: LASTONE
  First hundred: 5 off      fixed                                                         -5.00
    ✓ used less than 100 times: 99 times
  Total                                                                                  129.10

Not applied
  Tents: 40 off, and nothing else
    ✗ items of Tents and shelters: none
    ✗ items over 300.00: 149.00
  Easter: two or more
    ✗ after 2026-04-02 00:00:00: 2026-03-02 09:00:00
    ✓ before 2026-04-06 23:59:59: 2026-03-02 09:00:00
    ✗ 2 or more items: 1
  Spring sale: 15 % off with clothing
    ✓ after 2026-03-01 00:00:00: 2026-03-02 09:00:00
    ✓ before 2026-03-14 23:59:59: 2026-03-02 09:00:00
    ✗ items of Clothing: none
  Filter papers with every Kilronan dripper
    ✗ Kilronan Ceramic Dripper: none
`);
});

test('explain says what a total would be now, and why', async () => {
  const { url, office } = await serve();
  office.clock.set('2026-03-20T00:00:00+0000');
  const { out } = await runCommand('explain', url, 'order', '1');
  expect(stripVTControlCharacters(out)).toContain(`
Now it would be 158.90
  Spring sale: 15 % off with clothing: -24.59 → none
    ✗ before 2026-03-14 23:59:59: 2026-03-20 00:00:00
`);
});

test('explain prints the stock of a variant, the state of a record, and what rules a request met', async () => {
  const office = openStoreOffice({ scenario: 'awaiting-purchase', history: true });
  const url = await listen(createHttpServer(openSessions(office)));
  const { id: order } = office.checkout.createOrder({ channel_id: 1, user_id: 3, currency: 'EUR' });
  office.checkout.addItem(order, { variant_id: 5, unit_price: 1000, quantity: 1 });
  office.checkout.walk(order, 'payment');
  office.faults.add({ match: { method: 'POST' }, status: 503 });
  office.script.add({ on: 'confirm', delay: 0 });
  await fetch(`${url}/api/checkouts/${order}`, { method: 'PUT' });
  const print = async (...words: string[]): Promise<string> =>
    stripVTControlCharacters((await runCommand('explain', url, ...words)).out);
  const entry = await print('entry', '2');
  expect(entry).toContain(`#2 node placed order ${order}, 14.50 EUR
  PUT /api/checkouts/${order} ok
  fault 1
    ✗ method POST: PUT
  ✓ script 1 applied

Order ${order}, pending: `);
  expect(entry).toBe(
    `${entry.slice(0, entry.indexOf('\nOrder') + 1)}${await print('order', String(order), '--at', '2')}`,
  );
  expect(await print('order', String(order), '--at', '1')).toContain(`Order ${order}, cart: `);
  expect((await runCommand('explain', url, 'stock', '5', '--at', '1')).err).toBe(
    'backlot: --at belongs to an order: explain order <id> --at <entry>.\n',
  );
  expect(await print('state', 'order', String(order))).toContain(`
  #2 PUT /api/checkouts/${order}  cart → pending

  ✗ create: Cannot create order ${order}: its state is pending, not cart.
  ✓ release → released
`);
  expect(await print('stock', '5')).toContain(
    `  #2 PUT /api/checkouts/${order}  0 on hand, +1 on hold: hold 1 of order ${order}\n`,
  );
});

test('explain prints what a refused request sent, and what is accepted', async () => {
  const { url } = await serve();
  await fetch(`${url}/api/users/`, { method: 'POST', body: new URLSearchParams({ email: 'x' }) });
  const { out } = await runCommand('explain', url, 'entry', '1');
  expect(stripVTControlCharacters(out))
    .toBe(`#1 node could not add a user: firstName, lastName, email
  POST /api/users/ rejected: firstName: Please enter your first name. Also lastName, email, plainPassword.
  ✗ firstName: not sent, accepts text of 2 to 255 characters
  ✗ lastName: not sent, accepts text of 2 to 255 characters
  ✗ email: sent "x", accepts an email address
  ✗ plainPassword: not sent, accepts text of 1 to 4096 characters
`);
});

test('explain entry --brief prints the brief response of an entry, of at most 1,000 bytes', async () => {
  const { url, office } = await serve();
  await fetch(`${url}/api/orders/`, { method: 'POST' });
  const { code, out } = await runCommand('explain', url, 'entry', '1', '--brief');
  expect({ code, brief: JSON.parse(out) }).toEqual({ code: 0, brief: office.history.brief(1) });
  expect(out.length).toBeLessThan(1000);
  expect((await runCommand('explain', url, 'order', '1', '--brief')).err).toBe(
    'backlot: --brief belongs to an entry: explain entry <id> --brief.\n',
  );
});

test('explain --json prints the explanation of a session as the library gives it', async () => {
  const { url, office } = await serve();
  await fetch(`${url}/_backlot/sessions`, {
    method: 'POST',
    body: new URLSearchParams({ name: 'ada' }),
  });
  await fetch(`${url}/s/ada/api/orders/1`, { method: 'DELETE' });
  const { out } = await runCommand('explain', url, 'order', '1', '--json');
  expect(JSON.parse(out)).toEqual(office.explain.order(1));
  const { code, err } = await runCommand('explain', url, 'order', '1', '--session', 'ada');
  expect({ code, err }).toEqual({ code: 2, err: 'backlot: There is no order 1.\n' });
});

const requirement =
  'explain requires what to explain: order <id>, stock <variant>, state <machine> <id> or entry <id>.';

test.each(sample(['', 'state order', 'order', 'tax 1'], 1))(
  'explain %s says what it requires',
  async (words) => {
    const { code, err } = await runCommand('explain', ...words.split(' ').filter(Boolean));
    expect({ code, err }).toEqual({ code: 2, err: `backlot: ${requirement}\n` });
  },
);

test('explain requires the token of the control API, and sends it', async () => {
  const { url } = await serve({ controlToken: 'secret' });
  const refused = await runCommand('explain', url, 'order', '1');
  expect(refused).toMatchObject({
    code: 2,
    err: `backlot: ${url} requires the token of its control API: --token <token>. See https://backlot-dev.github.io/backlot/errors#control-api-token\n`,
  });
  expect(await runCommand('explain', url, 'order', '1', '--token', 'secret')).toMatchObject({
    code: 0,
  });
});

test('explain trusts no text of a server', async () => {
  const url = await listen(
    createServer((_, response) => {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ message: 'gone\u001B[2J' }));
    }),
  );
  const { code, err } = await runCommand('explain', url, 'order', '1');
  expect({ code, err }).toEqual({ code: 2, err: 'backlot: gone?[2J\n' });
  const other = await listen(createServer((_, response) => response.end('{"order":1}')));
  expect((await runCommand('explain', other, 'order', '1')).err).toBe(
    `backlot: ${other} has no explanations of Backlot: status 200.\n`,
  );
});

test('explain says that no server responds', async () => {
  const { code, err } = await runCommand('explain', 'http://127.0.0.1:1', 'order', '1');
  expect({ code, err }).toEqual({
    code: 2,
    err: 'backlot: No response from http://127.0.0.1:1. Is the server running? See https://backlot-dev.github.io/backlot/errors#no-response\n',
  });
});
