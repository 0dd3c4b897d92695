import { expect, test } from 'vitest';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import { openOffice } from '../support/office.ts';
import { openServer } from '../support/server.ts';

const cart = { channel: 1, user: 1, currency: 'EUR' };

test('the history of a session keeps at most 256 KiB of earlier rows', () => {
  const office = openStoreOffice({ history: true, session: 'ada' });
  const entries = 60;
  for (let at = 0; at < entries; at++) {
    const end = office.beginAction();
    void office.db.users.update((query) => query.where({ id: 1 }), {
      data: (user) => void (user.first_name = `${at} ${'x'.repeat(10_000)}`),
    });
    end(`change ${at}`);
  }
  const kept = office.history
    .entries()
    .filter(({ id }) => office.history.entry(id).rewindable)
    .map(({ id }) => id);
  expect(kept.length).toBeGreaterThanOrEqual(20);
  expect(kept.length).toBeLessThanOrEqual(262_144 / 10_000);
  expect(kept.at(-1)).toBe(entries);
  office.rewind(kept[0]!, 'before');
  expect(office.db.users.findFirst((query) => query.where({ id: 1 }))?.first_name).toMatch(
    new RegExp(`^${kept[0]! - 2} x`),
  );
});

test('a history keeps as many entries as the journal, and the changes of as many as it is told', async () => {
  const office = openOffice({ history: { maxEntries: 5 }, settings: { journalSize: 8 } });
  for (let at = 0; at < 20; at++) await office.call('POST /api/orders/', cart);
  const all = office.history.entries();
  expect(all.map(({ id }) => id)).toEqual([13, 14, 15, 16, 17, 18, 19, 20]);
  expect(all.filter(({ id }) => office.history.entry(id).rewindable)).toHaveLength(5);
});

test('a back office without a history keeps nothing of its writes', async () => {
  const office = openOffice();
  await office.call('POST /api/orders/', cart);
  await office.call('GET /_backlot/journal?view=summary');
  const { transaction, onMove } = office.shop;
  expect(transaction.take()).toBeUndefined();
  expect(onMove).toBeUndefined();
  expect(office.history.entry(1)).toMatchObject({ changes: [], moves: [], rewindable: false });
});

test('each visitor of a demo receives the events of the own shop only', () => {
  const { call } = openServer({ history: true, sessions: 'own', newName: () => 'ada' });
  call('POST /api/orders/', cart);
  const events = (name: string) =>
    call('GET /_backlot/events?since=0', undefined, { cookie: `backlot-session=${name}` }).body;
  expect(events('ada')).toContain('POST /api/orders/');
  expect(events('bob')).not.toContain('POST /api/orders/');
});
