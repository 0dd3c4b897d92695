import { distance } from 'fastest-levenshtein';
import * as z from 'zod';
import { formatCount, Problem, shortened } from '../lib/problem.ts';
import { issuesOf } from '../rest/issues.ts';
import { parseTarget } from '../rest/serve.ts';
import type { JournalEntry } from './journal-entry.ts';
import type { Condition, ParsedFilter } from './journal-filter.ts';

const Count = z.int().min(0).optional();

/** How many requests are expected: so many, or from here to there; one or more, if nothing is said. */
export const Expected = z.strictObject({
  times: Count.describe('Exactly so many'),
  atLeast: Count.describe('So many or more'),
  atMost: Count.describe('So many or less'),
});
export type Expected = z.input<typeof Expected>;

/** What a journal can be asked about. */
export interface RecordedEntries {
  readonly entries: readonly JournalEntry[];
  /** How many earlier ones it did not keep. */
  readonly dropped: number;
}

export function matchesFilter({ since, conditions }: ParsedFilter, entry: JournalEntry): boolean {
  return entry.id > since && conditions.every((condition) => condition.matches(entry));
}

/**
 * What is wrong where there were not as many requests as expected.
 *
 * @returns undefined where there were
 * @throws Problem `invalid` for an expectation that says nothing, or two things
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
    `Whether there was ${filter.title} ${said(from, to)} cannot be said: ${droppedNote(seen.dropped)} Clear the journal before; it holds as many as the setting journalSize says at the most, and fewer where there is no room for them.`,
  );
}

/** What is said of it: what there was instead, line by line against what was wanted. */
export function createVerificationProblem(
  filter: ParsedFilter,
  expected: Expected,
  { entries, dropped }: RecordedEntries,
): Problem {
  const { from, to } = rangeOf(expected);
  const found = entries.filter((entry) => matchesFilter(filter, entry));
  const lines = [
    `Expected ${filter.title} ${said(from, to)}, but there ${found.length === 1 ? 'was' : 'were'} ${found.length === 0 ? 'none' : found.length}.`,
    ...found.slice(-mostShown).map((entry) => `  = ${titleOf(entry)}`),
    ...(found.length < from ? nearest(filter, entries) : []),
    ...(dropped > 0 ? [droppedNote(dropped)] : []),
  ];
  return new Problem('refused', lines.join('\n'));
}

const mostShown = 5;
const mostNear = 3;

function rangeOf(expected: Expected): { from: number; to: number } {
  const result = Expected.safeParse(expected);
  const fields = result.success ? [] : issuesOf(Expected, result.error);
  const { times, atLeast = atMostOf(expected) === undefined ? 1 : 0, atMost = Infinity } = expected;
  if (times !== undefined && (expected.atLeast ?? expected.atMost) !== undefined) {
    fields.push({ path: ['times'], message: 'Give times, or atLeast and atMost.' });
  }
  if (times === undefined && atLeast > atMost) {
    fields.push({ path: ['atMost'], message: `Expected ${atLeast} or more.` });
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

function said(from: number, to: number): string {
  if (to === 0) return 'never';
  if (from === to) return timesOf(from);
  if (to === Infinity) return `${timesOf(from)} or more`;
  return from === 0 ? `${timesOf(to)} or less` : `${from} to ${to} times`;
}

function timesOf(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** The requests that lack the least, each with what it lacks. */
function nearest(filter: ParsedFilter, entries: readonly JournalEntry[]): string[] {
  const later = entries.filter((entry) => entry.id > filter.since && !matchesFilter(filter, entry));
  if (later.length === 0) {
    return [entries.length === 0 ? 'No request is in the journal.' : 'There were no others.'];
  }
  const near = later
    .map((entry) => ({ entry, far: distanceOf(filter, entry) }))
    .toSorted((a, b) => a.far - b.far || b.entry.id - a.entry.id)
    .slice(0, mostNear);
  return [
    'The nearest:',
    ...near.flatMap(({ entry }) => [`  ~ ${titleOf(entry)}`, ...diff(filter, entry)]),
  ];
}

/** How far a request is from what was wanted: its address counts most, then each other condition. */
function distanceOf(filter: ParsedFilter, entry: JournalEntry): number {
  const missed = filter.conditions.filter((condition) => !condition.matches(entry));
  return missed.reduce((sum, { name }) => sum + weightOf(name, filter, entry), 0);
}

function weightOf(name: string, { path = '' }: ParsedFilter, entry: JournalEntry): number {
  if (name === 'method') return 3;
  if (name !== 'path') return 1;
  const wanted = path.slice(0, longestCompared).split('/');
  const found = parseTarget(entry.url).path.slice(0, longestCompared).split('/');
  // What stands for any part is as near to one as to another.
  const filled = wanted.map((part, at) => (part.startsWith(':') ? (found[at] ?? part) : part));
  return 2 + distance(filled.join('/'), found.join('/'));
}

/** Comparing two paths takes as long as the one is times the other. */
const longestCompared = 200;

function diff(filter: ParsedFilter, entry: JournalEntry): string[] {
  const missed = filter.conditions.filter((condition) => !condition.matches(entry));
  const more = missed.length - mostDiffering;
  return [
    ...missed.slice(0, mostDiffering).flatMap((condition) => diffLines(condition, entry)),
    ...(more > 0 ? [`      and ${formatCount(more)} more`] : []),
  ];
}

/** How many conditions are shown that a request did not meet. */
const mostDiffering = 20;

function diffLines(condition: Condition, entry: JournalEntry): string[] {
  const { name, wanted } = condition;
  const pad = ' '.repeat(name.length);
  return [`      ${name} - ${shown(wanted)}`, `      ${pad} + ${shown(condition.of(entry))}`];
}

function shown(value: unknown): string {
  return value === undefined ? '(not sent)' : shortened(JSON.stringify(value) ?? '');
}

function titleOf({ id, method, url, answer, step }: JournalEntry): string {
  const outcome = answer.connection === 'drop' ? 'dropped' : String(answer.status);
  return `#${id} ${method} ${shortened(url)} → ${outcome}${step === undefined ? '' : ` (${step})`}`;
}

function droppedNote(dropped: number): string {
  return `${dropped} earlier ${dropped === 1 ? 'entry was' : 'entries were'} dropped, for there was no room for more.`;
}
