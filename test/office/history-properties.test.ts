import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createBackOffice,
  type BackOfficeFile,
  type FaultRuleInput,
  type HistoryEntry,
} from '../../src/index.ts';
import { openOffice, type Office } from '../support/office.ts';

/** More runs: `RUNS=500 npx vitest run test/office/history-properties.test.ts`. */
const numRuns = Number(process.env['RUNS'] ?? 25);
const timeout = 60_000 + numRuns * 2000;

type Act = (office: Office) => unknown;

const card = {
  type: 'visa',
  cardholderName: 'Ada Novak',
  number: '4242424242424242',
  securityCode: '123',
  expiryMonth: 12,
  expiryYear: 2030,
};
const address = {
  firstName: 'Ada',
  lastName: 'Novak',
  street: '1 Quay',
  city: 'Cork',
  postcode: 'T12',
  country: 2,
};

/** The order, the user, … of a request, some of which do not exist. */
const id = fc.integer({ min: 110, max: 124 });
const few = fc.integer({ min: 1, max: 4 });

function request(line: fc.Arbitrary<string>, body?: unknown): fc.Arbitrary<Act> {
  return line.map((one) => (office) => office.call(one, body));
}

/** What can change a shop, by every way in. */
const act: fc.Arbitrary<Act> = fc.oneof(
  request(fc.constant('POST /api/orders/'), { channel: 1, user: 1, currency: 'EUR' }),
  request(
    id.map((one) => `POST /api/orders/${one}/items/`),
    { variant: 1, quantity: 2 },
  ),
  request(
    id.map((one) => `DELETE /api/orders/${one}`),
    undefined,
  ),
  request(
    few.map((one) => `DELETE /api/users/${one + 20}`),
    undefined,
  ),
  request(
    few.map((one) => `DELETE /api/products/${one}`),
    undefined,
  ),
  request(
    few.map((one) => `PATCH /api/users/${one}`),
    { firstName: 'Grace', plainPassword: 'secret-word' },
  ),
  request(
    id.map((one) => `PUT /api/checkouts/${one}`),
    { shippingAddress: address, differentBillingAddress: false },
  ),
  request(
    id.map((one) => `PUT /api/checkouts/${one}`),
    { card },
  ),
  request(fc.constant('GET /api/orders/?page=1')),
  request(fc.constant('POST /api/orders/'), { currency: 'none' }),
  request(fc.constant('POST /_backlot/given/anOrder'), { at: 'completed' }),
  request(fc.constant('POST /_backlot/script'), { on: 'purchase', outcome: 'declined', first: 2 }),
  fc
    .constantFrom<FaultRuleInput>(
      { status: 503, first: 1 },
      { status: 500, after: true, first: 2 },
      { connection: 'drop', first: 1 },
      { connection: 'drop', after: true, first: 1 },
      { match: { step: 'create' }, limit: { requests: 1, per: 'PT1H' }, status: 429 },
    )
    .map<Act>((fault) => (office) => office.faults.add(fault)),
  fc
    .constantFrom('PT1H', 'P1D', '-PT2H')
    .map<Act>((time) => (office) => office.clock.advance(time)),
  fc.constant<Act>((office) => office.clock.tick()),
  fc.constant<Act>((office) => office.clock.freeze()),
  fc.constant<Act>((office) => office.db.currencies.clear()),
  fc.constant<Act>((office) => office.db.zones.delete((query) => query.where({ id: 1 }))),
  request(
    fc
      .constantFrom(70, 81, 104, 106)
      .map((shipment) => `POST /_backlot/transitions/shipment/${shipment}`),
    { transition: 'ship' },
  ),
  request(
    fc
      .constantFrom(33, 70, 81, 104, 105)
      .map((order) => `POST /_backlot/transitions/order/${order}`),
    { transition: 'cancel' },
  ),
  request(fc.constant('POST /_backlot/transitions/order/3'), { transition: 'return' }),
  request(
    fc.constantFrom(81, 84, 96).map((one) => `POST /_backlot/transitions/payment/${one}`),
    { transition: 'refund' },
  ),
  request(
    id.map((one) => `POST /_backlot/orders/${one}/next`),
    {},
  ),
  request(
    few.map(() => 'PUT /_backlot/stock'),
    { stockLocation: 1, variant: 7, onHand: 3 },
  ),
  request(fc.constant('POST /_backlot/orders/120/coupons'), { coupon: 'WELCOME10' }),
  request(fc.constant('DELETE /_backlot/orders/120/coupons/WELCOME10')),
  request(
    few.map((one) => `PATCH /_backlot/tables/users/${one}`),
    { first_name: 'Ada', last_login: '2026-01-01T00:00:00+0000' },
  ),
  request(
    few.map((one) => `PATCH /_backlot/tables/users/${one}`),
    { last_login: null },
  ),
  request(fc.constant('DELETE /_backlot/faults')),
  request(fc.constant('DELETE /_backlot/script')),
  fc.constant<Act>((office) => office.db.currencies.create({ code: 'JPY', exponent: 0 } as never)),
  few.map<Act>(
    (one) => (office) =>
      office.db.users.update((query) => query.where({ id: one }), {
        data: (user) => void (user.first_name = 'Mary'),
      }),
  ),
  fc.constant<Act>((office) => office.db.users.delete((query) => query.where({ id: 3 }))),
  fc.constant<Act>((office) => office.import(exportOfAnother())),
  fc.constant<Act>((office) => office.restore(snapshotOfAnother())),
  fc.constant<Act>((office) => office.snapshot('one')),
  fc.constant<Act>((office) => office.restore('one')),
  fc.constant<Act>((office) => office.reset()),
  fc.constant<Act>((office) => office.reset('filled-cart')),
  fc.constant<Act>((office) => office.import(exported(office))),
  fc.integer({ min: 1, max: 12 }).map<Act>((back) => (office) => {
    const all = office.history.entries();
    return office.rewind(all[Math.max(0, all.length - back)]?.id ?? 0, 'before');
  }),
);

const acts = fc.array(act, { minLength: 1, maxLength: 14 });

/** Opens a back office whose ticking clock does not move. */
function open(): Office {
  return openOffice({ history: true, milliseconds: () => 0 });
}

async function attempt(run: Act, office: Office): Promise<void> {
  try {
    await run(office);
  } catch {
    // What is rejected changes nothing.
  }
}

/** Exports a back office in which records were added, changed and deleted. */
function exportOfAnother(): BackOfficeFile {
  return other().export();
}

function snapshotOfAnother(): ReturnType<Office['snapshot']> {
  return other().snapshot();
}

function other(): Office {
  if (another === undefined) {
    another = openOffice({ scenario: 'filled-cart' });
    another.db.users.delete((query) => query.where({ id: 2 }));
    another.db.zones.delete((query) => query.where({ id: 1 }));
    another.clock.advance('P2D');
  }
  return another;
}

let another: Office | undefined;

function exported(office: Office): BackOfficeFile {
  return office.export();
}

/** Returns the live rows of an export, by table and id. */
function rowsOf(file: BackOfficeFile): Map<string, Record<string, unknown>> {
  const rows = new Map<string, Record<string, unknown>>();
  for (const [table, { rows: all }] of Object.entries(file.tables))
    for (const row of all) rows.set(`${table} ${row.id}`, { ...row });
  return rows;
}

function apply(
  rows: Map<string, Record<string, unknown>>,
  { changes }: HistoryEntry,
  after: Map<string, Record<string, unknown>>,
): void {
  for (const { table, id: row, kind, fields } of changes) {
    const key = `${table} ${row}`;
    if (kind === 'delete') {
      rows.delete(key);
      continue;
    }
    const values = rows.get(key) ?? {};
    for (const { field, after: value } of fields) {
      if (value === undefined) delete values[field];
      // Only the history masks secrets.
      else values[field] = value === '***' ? after.get(key)?.[field] : value;
    }
    rows.set(key, values);
  }
}

test('the changes of the entries lead from each state to the next one', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (all) => {
      const office = open();
      let before = rowsOf(office.export());
      let last = 0;
      for (const run of all) {
        await attempt(run, office);
        const after = rowsOf(office.export());
        for (const { id: entry } of office.history.entries({ since: last })) {
          apply(before, office.history.entry(entry), after);
          last = entry;
        }
        expect(Object.fromEntries(before)).toEqual(Object.fromEntries(after));
        before = after;
      }
    }),
    { numRuns },
  );
});

test(
  'going back to any entry restores the state of then, to the byte, and going forward again that of now',
  { timeout },
  async () => {
    await fc.assert(
      fc.asyncProperty(acts, fc.nat(), async (all, choice) => {
        const office = open();
        const states: { id: number; text: string }[] = [
          { id: 0, text: JSON.stringify(office.export()) },
        ];
        for (const run of all) {
          await attempt(run, office);
          const last = office.history.entries({ limit: 1 }).at(-1)?.id ?? 0;
          const text = JSON.stringify(office.export());
          if (states.at(-1)?.id === last) expect(states.at(-1)?.text).toBe(text);
          else states.push({ id: last, text });
        }
        const now = states.at(-1)!.text;
        const { id: chosen, text } = states[choice % states.length]!;
        if (states.at(-1)!.id === 0) return;
        const { id: rewind } =
          chosen === 0 ? office.rewind(1, 'before') : office.rewind(chosen, 'after');
        expect(JSON.stringify(office.export())).toBe(text);
        office.rewind(rewind, 'before');
        expect(JSON.stringify(office.export())).toBe(now);
        office.rewind(rewind, 'after');
        expect(JSON.stringify(office.export())).toBe(text);
        for (const one of states.slice(1)) {
          office.rewind(one.id, 'after');
          expect(JSON.stringify(office.export())).toBe(one.text);
        }
      }),
      { numRuns },
    );
  },
);

test(
  'back offices that share a start, as sessions do, have histories that do not affect each other',
  { timeout },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.boolean(), act), { minLength: 1, maxLength: 12 }),
        async (all) => {
          const [ada, bob] = [open(), open()];
          const start = JSON.stringify(ada.export());
          for (const [isAda, run] of all) {
            const [office, idle] = isAda ? [ada, bob] : [bob, ada];
            const before = JSON.stringify(idle.export());
            const entries = idle.history.entries();
            await attempt(run, office);
            expect(JSON.stringify(idle.export())).toBe(before);
            expect(idle.history.entries()).toEqual(entries);
          }
          for (const office of [ada, bob]) {
            if (office.history.entries().length > 0) office.rewind(1, 'before');
            expect(JSON.stringify(office.export())).toBe(start);
          }
        },
      ),
      { numRuns },
    );
  },
);

test(
  'a scenario that is exported after any entry opens to the state of then, and the export changes nothing',
  { timeout },
  async () => {
    await fc.assert(
      fc.asyncProperty(acts, fc.nat(), async (all, choice) => {
        const office = open();
        const states: { id: number; state: object }[] = [];
        for (const run of all) {
          await attempt(run, office);
          const last = office.history.entries({ limit: 1 }).at(-1)?.id;
          if (last !== undefined) states.push({ id: last, state: comparable(office.export()) });
        }
        if (states.length === 0) return;
        const now = JSON.stringify(office.export());
        const { id: to, state } = states[choice % states.length]!;
        const scenario: unknown = JSON.parse(
          JSON.stringify(office.history.export({ as: 'scenario', to })),
        );
        expect(JSON.stringify(office.export())).toBe(now);
        const opened = createBackOffice({ scenario: scenario as never });
        expect(comparable(opened.export())).toEqual(state);
      }),
      { numRuns },
    );
  },
);

/** A scenario has its own name, and does not say whether its clock ticks. */
function comparable({ scenario: _, clock: __, ...file }: BackOfficeFile): object {
  return file;
}

test('a write by code before a move of the clock belongs to the time before it', () => {
  const office = open();
  const start = office.export();
  office.db.currencies.clear();
  office.clock.advance('P1D');
  expect(office.history.entries()).toMatchObject([
    { by: 'page', at: start.now },
    { by: 'clock', at: '2026-03-03T09:00:00+0000' },
  ]);
  office.rewind(1, 'before');
  expect(office.export()).toEqual(start);
});
