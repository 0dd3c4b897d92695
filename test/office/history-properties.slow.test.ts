import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBackOffice, type BackOfficeFile, type HistoryEntry } from '../../src/index.ts';
import { act, checkoutActs, type Act } from '../support/history-acts.ts';
import { openOffice, type Answered, type Office } from '../support/office.ts';
import { runs } from '../support/runs.ts';

const numRuns = runs(25);
const timeout = 60_000 + numRuns * 2000;

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

test.for(Object.keys(checkoutActs) as (keyof typeof checkoutActs)[])(
  'the requests of these properties reach an order that awaits them: %s',
  async (step) => {
    const answers = fc.sample(checkoutActs[step], 60).map(async (run) => run(open()));
    const statuses = (await Promise.all(answers)).map((answer) => (answer as Answered).status);
    expect(statuses).toContain(200);
  },
);

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
  'the moves of the entries name the transitions that the state machines have applied, and no others',
  { timeout },
  async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (all) => {
        const made: string[] = [];
        const office = open();
        const { onMove } = office.shop;
        office.shop.onMove = (machine, record, row) => {
          onMove?.(machine, record, row);
          made.push(`${machine} ${record} ${row.name} ${row.to}`);
        };
        let last = 0;
        for (const run of all) {
          made.length = 0;
          await attempt(run, office);
          const moves: string[] = [];
          let count = 0;
          for (const { id: entry, changed } of office.history.entries({ since: last })) {
            last = entry;
            const found = office.history.entry(entry).moves;
            count += changed;
            for (const { machine, id: record, transition, to } of found)
              if (transition !== undefined) moves.push(`${machine} ${record} ${transition} ${to}`);
          }
          // What was rolled back has made transitions, but no moves.
          expect(moves).toEqual(count === 0 ? [] : made);
        }
      }),
      { numRuns },
    );
  },
);

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
function comparable(file: BackOfficeFile): object {
  return { ...file, scenario: undefined, clock: undefined };
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
