import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replaySession } from '../../src/engine/office/trace/replay-session.ts';
import { act, type Act } from '../support/history-acts.ts';
import { openOffice, type Office } from '../support/office.ts';
import { runs } from '../support/runs.ts';

const numRuns = runs(25);
const timeout = 60_000 + numRuns * 2000;

const acts = fc.array(act, { minLength: 1, maxLength: 14 });

function open(options: Parameters<typeof openOffice>[0] = {}): Office {
  return openOffice({ history: true, milliseconds: () => 0, ...options });
}

async function attempt(run: Act, office: Office): Promise<void> {
  try {
    await run(office);
  } catch {
    // What is rejected changes nothing.
  }
}

/** Opens the trace of a back office as a file has it. */
function reopened(office: Office): Office {
  const other = open({ scenario: 'empty' });
  other.import(JSON.parse(JSON.stringify(office.history.trace())));
  return other;
}

/** What a history shows of all of its entries, and of the past of an order. */
function shown(office: Office) {
  const { history } = office;
  const all = history.entries({ limit: 1000 });
  return {
    timeline: history.timeline(),
    all,
    entries: all.map(({ id }) => history.entry(id)),
    states: all.map(({ id }) => attemptOf(() => history.past('orders', 120, id))),
    why: all.map(({ id }) => attemptOf(() => office.explain.entry(id))),
    totals: all.map(({ id }) => attemptOf(() => office.explain.order(120, id))),
    // The clock of a trace is frozen.
    rewinds: all.map(({ id }) =>
      attemptOf(() => {
        const { clock, ...effects } = history.previewRewind(id);
        return { ...effects, now: clock.now };
      }),
    ),
    journal: office.journal.entries(),
  };
}

function attemptOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return String(error);
  }
}

test(
  'a trace shows what the history showed, and goes back to every state',
  { timeout },
  async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (all) => {
        const office = open();
        for (const run of all) await attempt(run, office);
        const other = reopened(office);
        expect(shown(other)).toEqual(shown(office));
        for (const { id } of office.history.entries({ limit: 1000 }).toReversed()) {
          const [one, two] = [office, other].map((each) =>
            attemptOf(() => {
              each.rewind(id);
              return each.export().tables['orders'];
            }),
          );
          expect(two).toEqual(one);
        }
      }),
      { numRuns },
    );
  },
);

test('a trace keeps the order in which records have their fields', () => {
  const office = open();
  // The records of a file have their fields in the order of the schema.
  office.import(JSON.parse(JSON.stringify(office.export())));
  office.reset('filled-cart');
  expect(shown(reopened(office))).toEqual(shown(office));
});

test('what a trace has, done again, comes out the same', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (all) => {
      const office = open();
      for (const run of all) await attempt(run, office);
      const trace = office.history.trace();
      const other = open({ scenario: 'empty' });
      other.import({ ...trace, lost: 0, clock: trace.start.clock, entries: [] });
      const replayed = [...replaySession(reopened(office), other)];
      expect(replayed.filter(({ differences }) => differences.length > 0)).toEqual([]);
    }),
    { numRuns },
  );
});
