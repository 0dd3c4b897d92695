import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SessionTexts } from '../../src/mounts/stores/saved-session.ts';
import { checkHistory } from './history-check.ts';
import { HistoryModel } from '../support/history-model.ts';
import { runs } from '../support/runs.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { at, smallShop } from '../support/small-shop.ts';

type Act = (model: HistoryModel) => void;

/** Has a failure print what was done. */
function named(title: string, act: Act): Act {
  return Object.assign(act, { [fc.toStringMethod]: () => title });
}

/** Sends a request, whose path can name the order. */
function sends(line: string, body?: object, times = 1): Act {
  return named(`${times} × ${line} ${JSON.stringify(body)}`, (model) =>
    model.send(line.replace(':order', String(model.order)), body, times),
  );
}

function acts(
  ...names: readonly ('take' | 'restore' | 'reset' | 'export' | 'import' | 'trace' | 'openTrace')[]
): fc.Arbitrary<Act> {
  return fc.constantFrom(...names).map((name) => named(name, (model) => model[name]()));
}

const writes = fc.oneof(
  { weight: 5, arbitrary: fc.constant(sends('POST /_backlot/orders/:order/next', {})) },
  {
    weight: 2,
    arbitrary: fc.nat(9).map((total) => sends('PATCH /_backlot/tables/orders/:order', { total })),
  },
  fc.constant(sends('POST /api/orders/:order/items/', { variant: 1, quantity: 1 })),
  fc.constant(sends('DELETE /api/orders/:order')),
  fc.constant(sends('POST /api/orders/', { channel: 1, user: 1, currency: 'EUR' })),
  fc
    .constantFrom('cart', 'confirmed', 'shipped')
    .map((state) => sends('PATCH /_backlot/tables/orders/:order', { state })),
  fc
    .constantFrom('ship', 'cancel', 'return')
    .map((transition) => sends('POST /_backlot/transitions/order/:order', { transition })),
  fc.nat(9).map((onHand) => sends('PUT /_backlot/stock', { stockLocation: 1, variant: 1, onHand })),
  fc.constant(sends('PATCH /_backlot/tables/promotions/2', { name: 'Busy week' })),
  fc.constant(sends('POST /_backlot/faults', { match: { method: 'GET' }, status: 503, first: 2 })),
  fc.constant(sends('DELETE /_backlot/faults')),
  fc
    .constantFrom(
      { advance: 'PT1H' },
      { advance: 'P9D' },
      { advance: '-PT2H' },
      { mode: 'ticking' },
      { mode: 'frozen' },
    )
    .map((move) => sends('PUT /_backlot/clock', move)),
);

const reads = fc.constantFrom(
  sends('GET /api/orders/:order'),
  sends('GET /api/orders/:order', undefined, 9),
  sends('PUT /api/orders/:order', { notes: 1 }),
);

const jumps = fc.oneof(
  fc
    .constantFrom('undo' as const, 'redo' as const)
    .map((to) => named(to, (model) => model.step(to))),
  fc
    .tuple(fc.nat(12), fc.constantFrom('before' as const, 'after' as const))
    .map(([back, to]) => named(`rewind ${back} ${to}`, (model) => model.rewind(back, to))),
  acts('take', 'restore', 'reset'),
  acts('export', 'import'),
  acts('trace', 'openTrace'),
  fc.constantFrom(
    named('clear', (model) => model.clear()),
    named('park', (model) => model.park(saveAndLoad)),
  ),
);

/** Does to a session what a store does that has taken it and gives it back. */
function saveAndLoad({ sessions: server }: TestServer, name: string): void {
  const texts = new SessionTexts('test', (scenario) => server.scenario(scenario));
  const office = server.sessions.peek(name);
  if (office === undefined) throw new Error(`Session ${name} is not open.`);
  const text = texts.write(office, 0);
  server.sessions.forget(name);
  expect(texts.read(text, (age) => server.sessions.adopt(name, age))).toBeUndefined();
}

const act = fc.oneof(
  { weight: 4, arbitrary: writes },
  { weight: 1, arbitrary: reads },
  { weight: 3, arbitrary: jumps },
);

/** One server for each number of changes that are kept. Each history is that of a session. */
const servers = new Map(
  [2, 4, 500].map((maxEntries) => [
    maxEntries,
    openServer({ scenario: smallShop, history: { maxEntries }, settings: { journalSize: 6 } }),
  ]),
);
let count = 0;

/** Checks this number of histories. A failure prints its seed. */
function checkPasts(numRuns: number): void {
  fc.assert(
    fc.property(
      fc.array(act, { minLength: 4, maxLength: 20, size: 'max' }),
      fc.constantFrom(at.cart, at.payment, at.confirmed, 8),
      fc.constantFrom(...servers.keys()),
      (all, order, maxEntries) => {
        const server = servers.get(maxEntries)!;
        const model = new HistoryModel(server, `session-${++count}`, order, maxEntries);
        try {
          for (const run of all) run(model);
          checkHistory(model);
        } finally {
          model.end();
        }
      },
    ),
    { numRuns, seed: Number(process.env['SEED'] ?? 20_261_126) },
  );
}

test('whatever the control API tells of a moment is what was true then, or is refused', () =>
  checkPasts(runs(60)));

test(
  'whatever the control API tells of a moment is what was true then, or is refused, in 10,000 histories',
  { tags: ['long'], timeout: 3_600_000 },
  () => checkPasts(10_000),
);
