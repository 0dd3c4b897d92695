import fc from 'fast-check';
import { expect, test } from 'vitest';
import { storeApi } from '../../src/define.ts';
import { builtInNames } from '../../src/engine/scenario/built-in.ts';
import { act } from '../support/history-acts.ts';
import { openOffice, type Office } from '../support/office.ts';
import { runs } from '../support/runs.ts';

const numRuns = runs(60);
const timeout = 60_000 + numRuns * 4000;

const scenarios = builtInNames(storeApi).filter((name) => name !== 'large');

/** A shop after some acts: of any scenario, with a clock that is frozen or ticks. */
const shop = fc.record({
  scenario: fc.constantFrom(...scenarios),
  isTicking: fc.boolean(),
  acts: fc.array(act, { minLength: 1, maxLength: 10 }),
});
type Shop = typeof shop extends fc.Arbitrary<infer Value> ? Value : never;

function open(scenario = 'default'): Office {
  return openOffice({ scenario: scenario as never, history: true, milliseconds: () => 0 });
}

async function played({ scenario, isTicking, acts }: Shop): Promise<Office> {
  const office = open(scenario);
  if (isTicking) office.clock.tick();
  for (const run of acts) await Promise.resolve(office).then(run).catch(rejected);
  return office;
}

/** What is rejected changes nothing. */
function rejected(): void {}

const copy = (value: unknown): object => JSON.parse(JSON.stringify(value)) as object;

test('an exported file opens to a shop that exports the same bytes', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(shop, async (made) => {
      const file = (await played(made)).export();
      const other = open(file.scenario);
      expect((await other.call('POST /_backlot/import', copy(file))).status).toBe(200);
      expect(JSON.stringify(other.export())).toBe(JSON.stringify(file));
    }),
    { numRuns },
  );
});

test('the scenario that a link holds opens to the same records and time', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(shop, async (made) => {
      const office = await played(made);
      const other = open();
      // A history without an entry has nothing to export.
      await office.call('GET /api/channels/1').catch(rejected);
      const { body: held } = await office.call('GET /_backlot/journal/export?as=scenario');
      expect((await other.call('POST /_backlot/import', copy(held))).status).toBe(200);
      const [wanted, opened] = [office, other].map((one) => one.export());
      expect(opened?.tables).toEqual(wanted?.tables);
      expect(opened?.now).toBe(wanted?.now);
    }),
    { numRuns },
  );
});
