import { expect, test } from 'vitest';
import { openServer } from '../support/server.ts';

const cart = { channel: 1, user: 1, currency: 'EUR' };
test('the time line counts all changes, also those that are no longer kept, and has at most 200 bins', () => {
  const { call } = openServer({ history: { maxEntries: 400 }, settings: { journalSize: 500 } });
  for (let times = 0; times < 800; times++)
    call('PATCH /_backlot/tables/users/1', { first_name: `Ada ${times}` });
  const { position, of, bins, undo, redo } = call('GET /_backlot/timeline').body;
  expect({ position, of, undo: undo.id, redo }).toEqual({ position: 800, of: 800, undo: 800 });
  expect(bins).toHaveLength(200);
  expect(bins[0]).toEqual({
    from: 401,
    to: 402,
    position: 402,
    changes: 2,
    records: 2,
    kind: 'page',
  });
  expect(bins.at(-1).to).toBe(800);
  call('POST /_backlot/journal/502/rewind');
  const back = call('GET /_backlot/timeline').body;
  expect(back).toMatchObject({ position: 501, of: 800, undo: { id: 501 }, redo: { id: 502 } });
  expect(back.idsInEffect).toEqual([
    [1, 501],
    [801, 801],
  ]);
  expect(back.bins.some((bin: { readonly to: number }) => bin.to === 501)).toBe(true);
  // An entry keeps its number of records when its changes are lost.
  expect(call('GET /_backlot/journal/310').body).toMatchObject({ changed: 1, rewindable: false });
});

test('an order at an entry is refused where the changes since are not kept, and not found before it was made', () => {
  const { call } = openServer({ history: { maxEntries: 2 } });
  call('POST /api/orders/', cart);
  call('POST /api/orders/', cart);
  expect(call('GET /_backlot/orders/122?at=1').status).toBe(404);
  expect(call('GET /_backlot/orders/122?at=2').body.order).toMatchObject({ id: 122 });
  expect(call('GET /_backlot/orders/122?at=3').status).toBe(404);
  call('POST /api/orders/', cart);
  expect(call('GET /_backlot/orders/121?at=0').body.message).toBe(
    'The state before the first entry is no longer known: changes are kept from entry #2 on, at most 2 changes and 32768 KiB. To keep more changes, raise maxEntries of the option history.',
  );
  const off = openServer().call;
  expect(off('GET /_backlot/orders/105').body.order).toMatchObject({ id: 105 });
  expect(off('GET /_backlot/orders/105?at=0').status).toBe(400);
  expect(off('GET /_backlot/timeline').status).toBe(400);
});

test('an order that a restored snapshot or a reset brings back has no way that it took elsewhere', () => {
  const { call } = openServer({ history: true });
  const states = () =>
    call('GET /_backlot/orders/105').body.moves.map(
      ({ machine, from, to }: { readonly [name: string]: string }) => `${machine} ${from} ${to}`,
    );
  call('POST /_backlot/snapshot', { name: 'start' });
  call('POST /_backlot/transitions/order/105', { transition: 'ship' });
  expect(states()).toContain('order confirmed shipped');
  call('POST /_backlot/snapshot', { name: 'shipped' });
  call('POST /_backlot/snapshot/start/restore');
  expect(states()).toEqual([]);
  call('POST /_backlot/transitions/order/105', { transition: 'cancel' });
  expect(states()).toContain('order confirmed cancelled');
  expect(states()).not.toContain('order confirmed shipped');
  call('POST /_backlot/snapshot/shipped/restore');
  expect(states()).toContain('order confirmed shipped');
  expect(states()).not.toContain('order confirmed cancelled');
  call('POST /_backlot/reset');
  expect(states()).toEqual([]);
});

test('the past of an order and the preview of a rewind have the clock and the names of their time', () => {
  const { call } = openServer({ history: true });
  call('PATCH /_backlot/tables/orders/119', { email: 'first@example.com' });
  call('PUT /_backlot/clock', { advance: 'PT10M' });
  call('PATCH /_backlot/tables/users/2', { first_name: 'Another' });
  call('PUT /_backlot/clock', { advance: 'P1D' });
  const nowOf = (path: string) => call(`GET /_backlot/${path}`).body;
  const user = nowOf('orders/119').order.user_id;
  call(`PATCH /_backlot/tables/users/${user}`, { first_name: 'Renamed' });
  const times = [0, 1, 2, 3, 4, 5].map((at) => nowOf(`orders/119?at=${at}`).now.slice(8, 16));
  expect(times).toEqual(['02T09:00', '02T09:00', '02T09:10', '02T09:10', '03T09:10', '03T09:10']);
  const clocks = [1, 2, 3, 4].map((id) => nowOf(`journal/${id}/rewind?to=before`).clock.now);
  expect(clocks.map((now) => now.slice(8, 16))).toEqual(times.slice(0, 4));
  expect(nowOf('journal/5/rewind?to=after').clock).toEqual(nowOf('clock'));
  expect(nowOf('orders/119?at=4').names[`users/${user}`]).not.toContain('Renamed');
  expect(nowOf('orders/119/view').names[`users/${user}`]).toContain('Renamed');
  expect(nowOf('clock').now).toBe('2026-03-03T09:10:00+0000');
});
