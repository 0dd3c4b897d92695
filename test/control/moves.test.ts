import { expect, test } from 'vitest';
import { declinedCard } from '../support/checkout-steps.ts';
import { openServer } from '../support/server.ts';

test('a new payment that is completed in the same request has two moves', () => {
  const { call } = openServer({ history: true });
  call('POST /_backlot/given/anOrder', { at: 'finalize', card: declinedCard.number });
  const id = call('GET /_backlot/orders?limit=1').body[0].id;
  const { request } = call(`GET /_backlot/orders/${id}/next`).body;
  call(`PUT ${request.url}`, { ...request.body, number: declinedCard.number });
  call(`PUT ${request.url}`, request.body);
  const last = call('GET /_backlot/journal?view=summary&limit=1').body.summaries[0].id;
  const moves = call(`GET /_backlot/journal/${last}`).body.moves;
  expect(
    moves.filter(({ machine }: { readonly machine: string }) => machine === 'payment'),
  ).toEqual([
    { machine: 'payment', id: expect.any(Number), to: 'new' },
    {
      machine: 'payment',
      id: expect.any(Number),
      from: 'new',
      to: 'completed',
      transition: 'complete',
    },
  ]);
});

test('a state that is set by no transition has a move without one', () => {
  const { call } = openServer({ history: true });
  call('PATCH /_backlot/tables/orders/119', { state: 'pending' });
  call('POST /_backlot/transitions/order/105', { transition: 'cancel' });
  call('POST /_backlot/journal/2/rewind');
  const moves = (id: number) => call(`GET /_backlot/journal/${id}`).body.moves;
  expect(moves(1)).toEqual([{ machine: 'order', id: 119, from: 'cart', to: 'pending' }]);
  expect(moves(2)).toContainEqual({
    machine: 'order',
    id: 105,
    from: 'confirmed',
    to: 'cancelled',
    transition: 'cancel',
  });
  expect(moves(3)).toContainEqual({
    machine: 'order',
    id: 105,
    from: 'cancelled',
    to: 'confirmed',
  });
});
