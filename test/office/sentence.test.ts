import { expect, test } from 'vitest';
import { sentenceOf } from '../../src/engine/journal/sentence.ts';
import { openOffice } from '../support/office.ts';

const by = (actor: string) => ({ 'x-backlot-actor': actor });

test('an entry is told in one sentence with who did it: the reader, a name, the program that sent it, or the clock', async () => {
  const { call, history, clock } = openOffice({ history: true });
  const program = { 'user-agent': 'checkout-web/2.1' };
  await call('POST /_backlot/transitions/order/105', { transition: 'ship' }, by('studio a'));
  await call('POST /_backlot/transitions/order/105', { transition: 'return' }, by('ada'));
  await call('PATCH /_backlot/tables/users/1', { first_name: 'Grace' });
  await call('POST /api/orders/', { channel: 1, user: 3, currency: 'EUR' }, program);
  await call('POST /api/orders/121/items/', { variant: 7, unitPrice: 1450, quantity: 2 }, program);
  await call('POST /api/orders/121/items/', { variant: 7, unitPrice: 1, quantity: 0 }, program);
  await call('PATCH /_backlot/tables/users/2', { first_name: 'Alan' }, by('studio b'));
  clock.advance('P1D');
  await call('PUT /_backlot/clock', { mode: 'ticking' }, by('studio a'));
  await call('POST /_backlot/journal/2/rewind', {}, by('studio b'));
  await call('POST /_backlot/reset', {}, by('studio a'));
  expect(history.entries().map((entry) => sentenceOf(entry, 'studio a'))).toEqual([
    'You shipped order 105',
    'ada returned order 105',
    'Changed user 1: first_name Aoife → Grace',
    'checkout-web added order 121',
    'checkout-web added 2 × CF-INB to order 121, 29.00 EUR',
    'checkout-web could not add an item to order 121: quantity',
    'Another page changed user 2: first_name Warehouse → Alan',
    'Moved the clock +1 day: 16 carts abandoned',
    'You set the clock ticking',
    'Another page took back 7 changes',
    'You reset the shop to default',
  ]);
});

test('undo and redo name what they take back and bring back', async () => {
  const { call, history } = openOffice({ history: true });
  await call('POST /_backlot/transitions/order/105', { transition: 'ship' });
  await call('POST /_backlot/journal/1/rewind', { to: 'before' });
  await call('POST /_backlot/journal/1/rewind', { to: 'after' });
  await call('POST /_backlot/journal/3/rewind', { to: 'before' });
  expect(history.entries().map(({ meaning }) => meaning)).toEqual([
    'shipped order 105',
    'took back: shipped order 105',
    'brought back: shipped order 105',
    'took back: shipped order 105',
  ]);
});

test('a sentence has at most 60 characters, whoever did whatever', async () => {
  const { call, history } = openOffice({ history: true });
  const long = 'a-very-long-name-of-a-program-or-person';
  await call('PATCH /_backlot/tables/users/1', { first_name: 'Grace '.repeat(30) }, by(long));
  await call('DELETE /api/orders/121/items/1234567', undefined, { 'user-agent': `${long}/1` });
  await call('POST /api/password-resetting-requests/', {}, { 'user-agent': `${long}/1` });
  await call(`GET /api/${'products/'.repeat(30)}`, undefined, by(long));
  await call('POST /_backlot/journal/1/rewind', {}, by(long));
  const sentences = history.entries().map((entry) => sentenceOf(entry));
  expect(sentences).toHaveLength(5);
  expect(sentences.filter(({ length }) => length > 60)).toEqual([]);
});
