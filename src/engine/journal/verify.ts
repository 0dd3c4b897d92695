import * as z from 'zod';
import { Problem } from '../lib/problem.ts';
import { issuesOf } from '../lib/schema-issues.ts';
import { invalid, matchesFilter, type ParsedFilter } from './journal-filter.ts';
import type { JournalEntry, Why } from './recorded-exchange.ts';
import { seenRequests } from './similar.ts';

const Count = z.int().min(0).optional();

/** Expected number of requests (default: one or more). */
export const Expected = z.strictObject({
  times: Count.describe('Exact number'),
  atLeast: Count.describe('Minimum number'),
  atMost: Count.describe('Maximum number'),
});
export type Expected = z.input<typeof Expected>;

/** The entries that a filter is compared with. */
export interface RecordedEntries {
  readonly entries: readonly JournalEntry[];
  /** Number of earlier entries that the journal dropped. */
  readonly dropped: number;
  readonly why?: Why | undefined;
}

/**
 * Returns why a verification fails, with the matching requests, or the most similar ones with their differences: the number of
 * requests is not as expected, or cannot be known.
 *
 * @returns undefined if the number is as expected
 * @throws Problem `invalid` for an expectation that is malformed or contradicts itself
 */
export function verificationFailure(
  filter: ParsedFilter,
  expected: Expected,
  { entries, dropped, why }: RecordedEntries,
): Problem | undefined {
  const { from, to } = rangeOf(expected);
  const wanted = `${filter.title} ${formatRange(from, to)}`;
  const found = entries.filter((entry) => matchesFilter(filter, entry));
  if (found.length < from || found.length > to) {
    const lines = [
      `Expected ${wanted}, but found ${found.length === 0 ? 'none' : found.length}.`,
      ...seenRequests(filter, found, from > 0 ? entries : undefined, why),
      ...(dropped > 0 ? [`Note: ${droppedNote(dropped)}`] : []),
    ];
    return new Problem('refused', lines.join('\n'));
  }
  if (dropped === 0 || to === Infinity) return undefined;
  return new Problem(
    'refused',
    `Cannot verify ${wanted}: ${droppedNote(dropped)} Clear the journal first, or raise the setting journalSize.`,
  );
}

function rangeOf(expected: Expected): { from: number; to: number } {
  const result = Expected.safeParse(expected);
  const fields = result.success ? [] : issuesOf(Expected, result.error, expected);
  const { times, atMost = Infinity } = expected;
  const { atLeast = expected.atMost === undefined ? 1 : 0 } = expected;
  if (times !== undefined && (expected.atLeast ?? expected.atMost) !== undefined) {
    fields.push({ path: ['times'], message: 'Set either times, or atLeast and atMost.' });
  }
  if (times === undefined && atLeast > atMost) {
    fields.push({ path: ['atMost'], message: `Must be at least ${atLeast}.` });
  }
  if (fields.length > 0) throw invalid(fields);
  return { from: times ?? atLeast, to: times ?? atMost };
}

function formatRange(from: number, to: number): string {
  if (to === 0) return 'never';
  if (from === to) return timesOf(from);
  if (to === Infinity) return `${timesOf(from)} or more`;
  return from === 0 ? `${timesOf(to)} or less` : `${from} to ${to} times`;
}

function timesOf(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function droppedNote(dropped: number): string {
  return `the journal dropped ${dropped} earlier ${dropped === 1 ? 'entry' : 'entries'}.`;
}
