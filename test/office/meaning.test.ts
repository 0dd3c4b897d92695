import { expect, test } from 'vitest';
import { defineApi, field, resource } from '../../src/define.ts';
import { createBackOffice } from '../../src/index.ts';
import { declinedCard } from '../support/checkout-steps.ts';
import { openOffice, type Answered } from '../support/office.ts';

const cart = { channel: 1, user: 3, currency: 'EUR' };

async function takeStep(
  call: (line: string, body?: unknown) => Promise<Answered>,
  card?: string,
): Promise<void> {
  const { request } = (await call('GET /_backlot/orders/121/next')).body;
  await call(`${request.method} ${request.url}`, {
    ...request.body,
    ...(card !== undefined && { number: card }),
  });
}

test('each entry of a checkout says what it meant', async () => {
  const { call, history, clock } = openOffice({ history: true });
  await call('POST /api/orders/', cart);
  await call('POST /api/orders/121/items/', { variant: 7, unitPrice: 1450, quantity: 2 });
  for (let step = 0; step < 4; step++) await takeStep(call);
  await takeStep(call, declinedCard.number);
  await takeStep(call);
  clock.advance('P1DT2H');
  await call('GET /api/orders/121');
  await call('POST /api/orders/121/items/', { variant: 7, quantity: 0 });
  const entries = history.entries();
  expect(entries.map(({ meaning }) => meaning)).toEqual([
    'added order 121',
    'added 2 × CF-INB to order 121, 29.00 EUR',
    'addressed order 121 to Cork, Ireland',
    'chose An Post Standard for order 121',
    'chose Credit or debit card for order 121',
    'placed order 121, 34.50 EUR',
    'could not pay order 121: card declined',
    'paid order 121, 34.50 EUR',
    'moved the clock +1 day 2 h: 15 carts abandoned',
    'read order 121',
    'could not add an item to order 121: only a cart can be chan…',
  ]);
});

test('writes beside the checkout name their records, and the fields of one with its values', async () => {
  const { call, history } = openOffice({ history: true });
  await call('PATCH /_backlot/tables/users/1', { first_name: 'Grace' });
  await call('DELETE /api/orders/3');
  await call('POST /_backlot/faults', { status: 503 });
  await call('POST /_backlot/reset');
  const entries = history.entries();
  expect(entries.map(({ by, meaning }) => [by, meaning])).toEqual([
    ['page', 'changed user 1: first_name Aoife → Grace'],
    ['request', 'removed order 3'],
    ['page', 'added fault 1'],
    ['reset', 'reset the shop to default'],
  ]);
});

test('a delay says which fault or rule made it, and a summary names the client', async () => {
  const { call, history } = openOffice({ history: true });
  await call('POST /_backlot/faults', { match: { path: '/api/channels/' }, delay: 20 });
  await call('GET /api/channels/', undefined, { 'user-agent': 'checkout-web/2.1 (linux)' });
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
  await call('GET /api/users/1', undefined, { 'user-agent': firefox });
  await call('GET /api/users/2', undefined, { 'user-agent': '4242424242424242' });
  const [, channels, user, card] = history.entries();
  const meaning = 'read channels, +20 ms by fault 1';
  expect(channels).toMatchObject({ meaning, delay: 20, client: 'checkout-web' });
  expect(user).toMatchObject({ client: 'Firefox 130' });
  expect(JSON.stringify(card)).not.toContain('4242424242424242');
});

test('records of an API of your own are named, too', async () => {
  const pets = resource({ singular: 'pet', fields: { name: field.text() } });
  const api = defineApi({ name: 'pets', resources: { pets } });
  const office = createBackOffice({ api, history: true });
  await office.fetch('/api/pets/', { method: 'POST', body: new URLSearchParams({ name: 'Rex' }) });
  expect(office.history.entries().map(({ meaning }) => meaning)).toEqual(['added pet 1']);
});
