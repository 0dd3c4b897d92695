import { distance } from 'fastest-levenshtein';
import * as z from 'zod';
import { formatCount, Problem, truncate } from '../lib/problem.ts';
import { issuesOf } from '../rest/issues.ts';
import { parseTarget } from '../rest/serve.ts';
import type { JournalEntry } from './recorded-exchange.ts';
import type { Condition, ParsedFilter } from './journal-filter.ts';

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
}

export function matchesFilter({ since, conditions }: ParsedFilter, entry: JournalEntry): boolean {
  return entry.id > since && conditions.every((condition) => condition.matches(entry));
}

/**
 * Returns why a verification fails: the number of requests is not as expected, or cannot be known.
 *
 * @returns undefined if the number is as expected
 * @throws Problem `invalid` for an expectation that is malformed or contradicts itself
 */
export function verificationFailure(
  filter: ParsedFilter,
  expected: Expected,
  seen: RecordedEntries,
): Problem | undefined {
  const { from, to } = rangeOf(expected);
  const count = seen.entries.filter((entry) => matchesFilter(filter, entry)).length;
  if (count < from || count > to) return createVerificationProblem(filter, expected, seen);
  if (seen.dropped === 0 || to === Infinity) return undefined;
  return new Problem(
    'refused',
    `Cannot verify ${filter.title} ${formatRange(from, to)}: ${droppedNote(seen.dropped)} Clear the journal first, or raise the setting journalSize.`,
  );
}

/** Creates the error of a failed verification: the matching requests, or the most similar ones with their differences. */
export function createVerificationProblem(
  filter: ParsedFilter,
  expected: Expected,
  { entries, dropped }: RecordedEntries,
): Problem {
  const { from, to } = rangeOf(expected);
  const found = entries.filter((entry) => matchesFilter(filter, entry));
  const lines = [
    `Expected ${filter.title} ${formatRange(from, to)}, but found ${found.length === 0 ? 'none' : found.length}.`,
    ...found.slice(-maxShown).map((entry) => `  = ${titleOf(entry)}`),
    // Beside requests that match, others are noise.
    ...(found.length === 0 && from > 0 ? mostSimilar(filter, entries) : []),
    ...(dropped > 0 ? [`Note: ${droppedNote(dropped)}`] : []),
  ];
  return new Problem('refused', lines.join('\n'));
}

const maxShown = 5;
const maxSimilar = 3;

function rangeOf(expected: Expected): { from: number; to: number } {
  const result = Expected.safeParse(expected);
  const fields = result.success ? [] : issuesOf(Expected, result.error);
  const { times, atLeast = atMostOf(expected) === undefined ? 1 : 0, atMost = Infinity } = expected;
  if (times !== undefined && (expected.atLeast ?? expected.atMost) !== undefined) {
    fields.push({ path: ['times'], message: 'Set either times, or atLeast and atMost.' });
  }
  if (times === undefined && atLeast > atMost) {
    fields.push({ path: ['atMost'], message: `Must be at least ${atLeast}.` });
  }
  if (fields.length > 0) {
    const list = fields.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Problem('invalid', list.join('; '), { fields });
  }
  return { from: times ?? atLeast, to: times ?? atMost };
}

function atMostOf({ atMost }: Expected): number | undefined {
  return atMost;
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

/** Returns the most similar requests, each with the conditions that it does not meet. */
function mostSimilar(filter: ParsedFilter, entries: readonly JournalEntry[]): string[] {
  const later = entries.filter((entry) => entry.id > filter.since && !matchesFilter(filter, entry));
  if (later.length === 0) {
    return [entries.length === 0 ? 'The journal is empty.' : 'There are no other requests.'];
  }
  const near = later
    .map((entry) => ({ entry, far: distanceOf(filter, entry) }))
    .toSorted((a, b) => a.far - b.far || b.entry.id - a.entry.id)
    .slice(0, maxSimilar);
  return [
    'The most similar requests:',
    ...near.flatMap(({ entry }) => [`  ~ ${titleOf(entry)}`, ...diff(filter, entry)]),
  ];
}

/** Returns how much a request differs from the filter: the path counts most, then the method. */
function distanceOf(filter: ParsedFilter, entry: JournalEntry): number {
  const missed = filter.conditions.filter((condition) => !condition.matches(entry));
  return missed.reduce((sum, { name }) => sum + weightOf(name, filter, entry), 0);
}

function weightOf(name: string, { path = '' }: ParsedFilter, entry: JournalEntry): number {
  if (name === 'method') return 3;
  if (name !== 'path') return 1;
  const wanted = path.slice(0, maxCompared).split('/');
  const found = parseTarget(entry.url).path.slice(0, maxCompared).split('/');
  // A parameter of the pattern matches any segment.
  const filled = wanted.map((part, at) => (part.startsWith(':') ? (found[at] ?? part) : part));
  return 2 + distance(filled.join('/'), found.join('/'));
}

/** Characters of a path. The time of a comparison is the product of both lengths. */
const maxCompared = 200;

function diff(filter: ParsedFilter, entry: JournalEntry): string[] {
  const missed = filter.conditions.filter((condition) => !condition.matches(entry));
  const more = missed.length - maxDifferences;
  return [
    ...missed.slice(0, maxDifferences).flatMap((condition) => diffLines(condition, entry)),
    ...(more > 0 ? [`      and ${formatCount(more)} more`] : []),
  ];
}

/** Number of unmet conditions that are shown for one request. */
const maxDifferences = 20;

function diffLines(condition: Condition, entry: JournalEntry): string[] {
  const { name, wanted } = condition;
  const pad = ' '.repeat(name.length);
  return [`      ${name} - ${shown(wanted)}`, `      ${pad} + ${shown(condition.of(entry))}`];
}

function shown(value: unknown): string {
  return value === undefined ? '(not sent)' : truncate(JSON.stringify(value) ?? '');
}

function titleOf({ id, method, url, answer, step }: JournalEntry): string {
  const outcome = answer.connection === 'drop' ? 'dropped' : String(answer.status);
  return `#${id} ${method} ${truncate(url)} → ${outcome}${step === undefined ? '' : ` (${step})`}`;
}

function droppedNote(dropped: number): string {
  return `the journal dropped ${dropped} earlier ${dropped === 1 ? 'entry' : 'entries'}.`;
}
