import { expect, test } from 'vitest';
import { openServer } from '../support/server.ts';

const cart = { channel: 1, user: 1, currency: 'EUR' };
const ada = { 'x-backlot-actor': 'Ada' };

test('an entry says who sent a request of either API, and its response which entry it is', () => {
  const { call } = openServer({ history: true });
  const made = call('POST /api/orders/', cart, ada);
  const shipped = call('POST /_backlot/transitions/order/105', { transition: 'ship' }, ada);
  const moved = call('PUT /_backlot/clock', { now: '2027-01-01T00:00:00Z' }, ada);
  const reset = call('POST /_backlot/reset', {}, ada);
  const entries = [made, shipped, moved, reset].map(({ headers }) => headers['x-backlot-entry']);
  const { summaries } = call('GET /_backlot/journal?view=summary').body;
  expect(summaries).toMatchObject([
    { id: Number(entries[0]), by: 'request', actor: 'Ada' },
    { id: Number(entries[1]), by: 'page', actor: 'Ada' },
    { id: Number(entries[2]), by: 'clock', actor: 'Ada' },
    { id: Number(entries[3]), by: 'reset', actor: 'Ada' },
  ]);
});

test('a response of the store API has no header of its entry unless the request says who sends it', () => {
  const { call } = openServer({ history: true });
  expect(call('POST /api/orders/', cart).headers).not.toHaveProperty('x-backlot-entry');
  const [entry] = call('GET /_backlot/journal?view=summary').body.summaries;
  expect(entry).not.toHaveProperty('actor');
});

test('a control request that changes nothing has no entry, and what is done next is not by its actor', () => {
  const { call, shared } = openServer({ history: true });
  const refused = call('POST /_backlot/transitions/order/105', { transition: 'fly' }, ada);
  expect(refused.status).toBe(400);
  expect(refused.headers).not.toHaveProperty('x-backlot-entry');
  shared.db.orders.change(105, { total: 1 });
  const { summaries } = call('GET /_backlot/journal?view=summary').body;
  expect(summaries).toMatchObject([{ title: 'outside of requests' }]);
  expect(summaries[0]).not.toHaveProperty('actor');
});

test('a trace keeps who did what, and a command that sends a request again does not say so', () => {
  const { call } = openServer({ history: true });
  call('POST /api/orders/', cart, ada);
  call('POST /_backlot/transitions/order/105', { transition: 'ship' }, ada);
  expect(call('GET /_backlot/journal/1/as?format=curl').body).not.toContain('Ada');
  const trace = call('GET /_backlot/trace').body;
  const { call: opened } = openServer({ history: true });
  expect(opened('POST /_backlot/import', trace).status).toBe(200);
  const { summaries } = opened('GET /_backlot/journal?view=summary').body;
  expect(summaries).toMatchObject([{ actor: 'Ada' }, { actor: 'Ada' }]);
});

test('an actor is cut after 40 characters, and a secret in it is masked', () => {
  const { call } = openServer({ history: true });
  call('POST /api/orders/', cart, { 'x-backlot-actor': 'x'.repeat(100) });
  call('POST /api/orders/', cart, { 'x-backlot-actor': 'card 4242424242424242' });
  const { summaries } = call('GET /_backlot/journal?view=summary').body;
  expect(summaries[0].actor).toBe('x'.repeat(40));
  expect(summaries[1].actor).not.toContain('4242424242424242');
});
