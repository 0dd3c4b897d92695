import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecordingError } from '../../src/verify/replay/har-file.ts';
import { textReport } from '../../src/verify/replay/report.ts';
import { entries, replayEntries as replay } from '../support/foreign-recording.ts';
import { runs } from '../support/runs.ts';

test('a recording unpacks at most 256 MiB, and counts what it leaves out', async () => {
  const text = gzipSync(`{"id":1${' '.repeat(4_000_000)}}`).toString('base64');
  const large = {
    ...entries.at(-1),
    response: { ...entries.at(-1)?.response, content: { text, encoding: 'base64' } },
  };
  const { requests, leftOut } = await replay(Array.from({ length: 80 }, () => large));
  expect(requests).toBe(67);
  expect(leftOut).toEqual({ 'beyond the 256 MiB that one recording unpacks to': 13 });
});

/** Any value in the place of any part of an entry. */
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    null,
    [],
    {},
    '',
    -1,
    1e300,
    '***',
    'base64',
    'https://shop.test/api/orders/1/',
    '/_backlot/reset',
  ),
);

function damaged(value: unknown, path: readonly number[], by: unknown): unknown {
  const [at, ...rest] = path;
  if (at === undefined || typeof value !== 'object' || value === null) return by;
  const names = Object.keys(value);
  if (names.length === 0) return by;
  const name = names[at % names.length]!;
  const inner = damaged((value as Record<string, unknown>)[name], rest, by);
  if (Array.isArray(value)) return value.with(Number(name), inner);
  return { ...value, [name]: inner };
}

test('any damage of a recording ends in a report or in one sentence', async () => {
  const path = fc.array(fc.nat(20), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(path, anything), { minLength: 1, maxLength: 6 }),
      async (all) => {
        const changed = all.reduce<unknown>((value, [at, by]) => damaged(value, at, by), entries);
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
      },
    ),
    { numRuns: runs(400) },
  );
});
