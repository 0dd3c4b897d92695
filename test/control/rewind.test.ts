import { expect, test } from 'vitest';
import { openServer } from '../support/server.ts';

const cart = { channel: 1, user: 1, currency: 'EUR' };

const atNine = { mode: 'frozen', now: '2026-03-02T09:00:00+0000' };

test('a rewind says which other entries it undoes or brings back, also before it happens', () => {
  const { call } = openServer({ history: true });
  call('POST /api/orders/', cart);
  call('POST /api/orders/', cart);
  call('GET /api/orders/121');
  call('POST /api/orders/', { currency: 'none' });
  call('PUT /_backlot/clock', { advance: 'PT1H' });
  const nothing = { count: 0, ids: [] };
  const before = { undone: { count: 2, ids: [2, 5] }, redone: nothing };
  expect(call('GET /_backlot/journal/1/rewind').body).toEqual({
    ...before,
    idsInEffect: [],
    clock: atNine,
  });
  expect(call('GET /_backlot/journal/1/rewind?to=after').body).toEqual({
    ...before,
    idsInEffect: [[1, 1]],
    clock: atNine,
  });
  expect(call('GET /_backlot/journal/5/rewind').body).toEqual({
    undone: nothing,
    redone: nothing,
    idsInEffect: [[1, 4]],
    clock: atNine,
  });
  expect(call('GET /_backlot/journal?view=summary').body.summaries).toHaveLength(5);
  expect(call('POST /_backlot/journal/1/rewind').body).toMatchObject({ id: 6, ...before });
  call('POST /api/orders/', cart);
  // What was undone already is not undone once more.
  expect(call('GET /_backlot/journal/2/rewind').body).toEqual({
    undone: { count: 1, ids: [7] },
    redone: { count: 1, ids: [1] },
    idsInEffect: [[1, 1]],
    clock: atNine,
  });
  expect(call('POST /_backlot/journal/6/rewind').body).toMatchObject({
    id: 8,
    undone: { count: 1, ids: [7] },
    redone: { count: 3, ids: [1, 2, 5] },
  });
  expect(call('GET /_backlot/journal/8/rewind').body).toEqual({
    undone: { count: 3, ids: [1, 2, 5] },
    redone: { count: 1, ids: [7] },
    idsInEffect: [[6, 7]],
    clock: atNine,
  });
  expect(call('GET /_backlot/journal/99/rewind').status).toBe(404);
});

test('a rewind lists the newest twenty of the entries that it undoes', () => {
  const { call } = openServer({ history: true });
  for (let times = 0; times < 30; times++) call('POST /api/orders/', cart);
  const { undone } = call('GET /_backlot/journal/3/rewind').body;
  expect(undone).toEqual({ count: 27, ids: Array.from({ length: 20 }, (_, at) => at + 11) });
});
