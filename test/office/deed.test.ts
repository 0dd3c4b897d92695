import { expect, test } from 'vitest';
import { deedOf } from '../../src/engine/journal/deed.ts';
import { openOffice } from '../support/office.ts';

const by = (actor: string) => ({ 'x-backlot-actor': actor });

test('a deed is one sentence with who did it: the reader, a name, the program that sent it, or the clock', async () => {
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
  expect(history.entries().map((entry) => deedOf(entry, 'studio a'))).toEqual([
    'You shipped order 105.',
    'ada returned order 105, on hand 79 → 80, on hand 63 → 64.',
    'Changed user 1: first_name Aoife → Grace.',
    'checkout-web added order 121.',
    'checkout-web added 2 × CF-INB, total 0.00 → 29.00.',
    'checkout-web sent POST /api/orders/121/items/: quantity: Quantity must be at least 1.',
    'Another page changed user 2: first_name Warehouse → Alan.',
    '+1 day: 16 carts abandoned (3 h), 6 parcels cancelled, 3 payments void.',
    'You set the clock ticking.',
    'Another page rewound to before #2.',
    'You reset to default.',
  ]);
});
