import fc from 'fast-check';
import { expect, test } from 'vitest';
import { storeApi } from '../../src/define.ts';
import { builtInNames } from '../../src/engine/scenario/built-in.ts';
import { replayRecording } from '../../src/verify/replay/replay.ts';
import { act, type Act } from '../support/history-acts.ts';
import { openOffice, type Office } from '../support/office.ts';
import { runs } from '../support/runs.ts';

const numRuns = runs(60);
const timeout = 60_000 + numRuns * 4000;

const read = fc
  .constantFrom('orders/120/', 'orders/?limit=5', 'users/3', 'shipments/104', 'products/3')
  .map<Act>((path) => (office) => office.call(`GET /api/${path}`));

const acts = fc.array(fc.oneof(read, act), { minLength: 1, maxLength: 14 });

const scenarios = builtInNames(storeApi).filter((name) => name !== 'large');

async function attempt(run: Act, office: Office): Promise<void> {
  try {
    await run(office);
  } catch {
    // What is rejected changes nothing.
  }
}

test('a recording that a history exports has no differences', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(
      acts,
      fc.constantFrom(...scenarios),
      fc.constantFrom('frozen', 'ticking'),
      async (all, scenario, clock) => {
        let received = 0;
        const office = openOffice({
          scenario: scenario as never,
          history: true,
          milliseconds: () => 0,
          currentTime: () => (received += 1),
        });
        if (clock === 'ticking') office.clock.tick();
        for (const run of all) await attempt(run, office);
        const requests = office.history
          .entries({ limit: 1000 })
          .filter(({ by }) => by === 'request');
        fc.pre(requests.length > 0);
        const { log } = JSON.parse(JSON.stringify(office.history.export({ as: 'har' }))) as {
          readonly log: { readonly entries: readonly unknown[] };
        };
        const recording = { name: 'own', entries: log.entries };
        const replayed = await replayRecording(recording, { api: storeApi, fromRecorded: true });
        const { findings, leftOut } = replayed;
        expect({ findings, leftOut }).toEqual({ findings: [], leftOut: {} });
        expect(replayed.requests).toBe(requests.length);
      },
    ),
    { numRuns },
  );
});
