import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replayRecording } from '../../src/verify/replay/replay.ts';
import { apis, play, randomShop } from '../support/random-shop.ts';
import { receivedRecording } from '../support/recording.ts';
import { runs } from '../support/runs.ts';

const numRuns = runs(60);
const timeout = 60_000 + numRuns * 4000;

/** A clock that is set back and a state that is written into a table break the contract, which a replay tells. */
function breaksContract({ expected }: { readonly expected: string }): boolean {
  return / in state \w+$|, created_at, or later$/.test(expected);
}

test('a recording that a history exports has no differences', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(randomShop, async (of) => {
      const office = await play(of);
      const { changesFrom } = office.history.reach;
      const requests = office.history.entries({ limit: 1000 }).filter(({ by }) => by === 'request');
      const known = requests.filter(({ id }) => id >= changesFrom);
      const exchanges = known.map(({ id }) => office.history.entry(id).exchange);
      // With a body that is no JSON, for example.
      const unreadable = exchanges.filter((one) => one?.request.left_out !== undefined);
      // A fault that such a request has met is left for another one.
      fc.pre(unreadable.every((one) => one?.faults.length === 0));
      fc.pre(known.length > unreadable.length);
      const { body: har } = await office.call('GET /_backlot/journal/export?as=har');
      const api = apis[of.api]!;
      const { findings, leftOut, ...replayed } = await replayRecording(
        receivedRecording(har.log.entries),
        { api, apiPath: api.path, fromRecorded: true },
      );
      // The changes before a large one are not kept in a session.
      const lost = requests.length - known.length;
      expect(findings.filter((one) => !breaksContract(one))).toEqual([]);
      expect(leftOut).toEqual({
        ...(lost > 0 && { 'from before the first change that the history has kept': lost }),
        ...(unreadable.length > 0 && { 'with a body that is not recorded': unreadable.length }),
      });
      expect(replayed.requests).toBe(known.length - unreadable.length);
    }),
    { numRuns },
  );
});
