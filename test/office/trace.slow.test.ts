import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redactRecord } from '../../src/engine/journal/redaction.ts';
import { mapValues } from '../../src/engine/lib/json-value.ts';
import { replaySession } from '../../src/engine/office/trace/replay-session.ts';
import type { BackOfficeFile } from '../../src/index.ts';
import {
  play,
  randomShop,
  serveShop,
  type RandomShop,
  type ServedShop,
} from '../support/random-shop.ts';
import { runs } from '../support/runs.ts';

const numRuns = runs(60);
const timeout = 60_000 + numRuns * 4000;

/** Opens the trace of a shop elsewhere. */
async function reopened(of: RandomShop, office: ServedShop): Promise<ServedShop> {
  const other = serveShop({ ...of, scenario: 'empty' });
  const { body: trace } = await office.call('GET /_backlot/trace');
  const { status, body } = await other.call('POST /_backlot/import', trace);
  expect({ status, body }).toMatchObject({ status: 200 });
  return other;
}

/** What a history shows of all of its entries, and of the past of an order. */
async function shown({ call }: ServedShop): Promise<object> {
  const lists = ['timeline', 'journal?view=summary&limit=1000', 'journal?limit=1000'];
  const told: Record<string, unknown> = {};
  const tell = async (path: string): Promise<void> => {
    const { status, body } = await call(`GET /_backlot/${path}`);
    // A trace does not say why a state is no longer known.
    told[path] = { status, ...(status === 200 && { body }) };
  };
  for (const path of lists) await tell(path);
  const { summaries } = (await call(`GET /_backlot/${lists[1]}`)).body;
  for (const { id } of summaries as readonly { readonly id: number }[]) {
    for (const view of ['', '/why']) await tell(`journal/${id}${view}`);
    for (const view of ['', '/why']) await tell(`orders/120${view}?at=${id}`);
    const path = `journal/${id}/rewind`;
    await tell(path);
    // The clock of a trace is frozen.
    delete (told[path] as { body?: { clock: { mode?: string } } }).body?.clock.mode;
  }
  return told;
}

/** Masks what a trace has no values of. */
function withoutSecrets({ shop: { api } }: ServedShop, tables: BackOfficeFile['tables']): object {
  const secrets = new Map(Object.values(api.tables).map(({ name, secret }) => [name, secret]));
  return mapValues(tables, ({ rows, gone = [], ...others }, name) => {
    const masked = [rows, gone].map((all) =>
      all.map((row) => redactRecord(row, secrets.get(name))),
    );
    return { ...others, masked };
  });
}

test(
  'a trace shows what the history showed, and goes back to every state',
  { timeout },
  async () => {
    await fc.assert(
      fc.asyncProperty(randomShop, async (of) => {
        const office = await play(of);
        const other = await reopened(of, office);
        expect(await shown(other)).toEqual(await shown(office));
        for (const { id } of office.history.entries({ limit: 1000 }).toReversed()) {
          const [one, two] = await Promise.all(
            [office, other].map(async ({ call }) => {
              const { status } = await call(`POST /_backlot/journal/${id}/rewind`, {});
              const { tables } = (await call('GET /_backlot/export')).body;
              return { status, tables: withoutSecrets(office, tables) };
            }),
          );
          expect(two).toEqual(one);
        }
      }),
      { numRuns },
    );
  },
);

test('a trace keeps the order in which records have their fields', async () => {
  const of = {
    api: 'store',
    scenario: 'default',
    clock: 'frozen',
    session: undefined,
    acts: [],
  } as const;
  const office = serveShop(of);
  // The records of a file have their fields in the order of the schema.
  office.import(JSON.parse(JSON.stringify(office.export())));
  office.reset('filled-cart');
  expect(await shown(await reopened(of, office))).toEqual(await shown(office));
});

test('what a trace has, done again, comes out the same', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(randomShop, async (of) => {
      const office = await play(of);
      const trace = office.history.trace();
      const other = serveShop(of);
      other.import({
        ...trace,
        lost: 0,
        clock: { now: trace.start.now, mode: 'frozen' },
        entries: [],
      });
      const replayed = [...replaySession(await reopened(of, office), other)];
      expect(replayed.filter(({ differences }) => differences.length > 0)).toEqual([]);
    }),
    { numRuns },
  );
});
