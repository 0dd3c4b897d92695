import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecordingError } from '../../src/verify/replay/har-file.ts';
import { textReport } from '../../src/verify/replay/report.ts';
import { entries, replayEntries as replay } from './foreign-recording.ts';
import { damagedJson } from '../support/damaged-json.ts';
import { runs } from '../support/runs.ts';

test('a recording unpacks at most 256 MiB, and counts what it leaves out', async () => {
  const { text: body = '' } = entries.at(-1)!.response.content;
  const text = gzipSync(`${' '.repeat(1_000_000)}${body}`).toString('base64');
  const large = {
    ...entries.at(-1),
    response: { ...entries.at(-1)?.response, content: { text, encoding: 'base64' } },
  };
  const { requests, leftOut } = await replay(Array.from({ length: 300 }, () => large));
  expect(requests).toBe(268);
  expect(leftOut).toEqual({ 'beyond the 256 MiB that one recording unpacks to': 32 });
});

test('any damage of a recording ends in a report or in one sentence', async () => {
  await fc.assert(
    fc.asyncProperty(damagedJson(entries), async (changed) => {
      const list = Array.isArray(changed) ? (changed as unknown[]) : [changed];
      try {
        const replayed = await replay(list);
        const left = Object.values(replayed.leftOut).reduce((sum, count) => sum + count, 0);
        // Requests to the control API are sent, and not counted.
        expect(replayed.requests + left).toBeLessThanOrEqual(list.length);
        expect(textReport([replayed])).not.toBe('');
      } catch (error) {
        expect(error).toBeInstanceOf(RecordingError);
        expect((error as Error).message).toMatch(/^shop\.har has .*\.$/s);
      }
    }),
    { numRuns: runs(400) },
  );
});
