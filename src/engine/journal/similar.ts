import { distance } from 'fastest-levenshtein';
import { formatCount, truncate } from '../lib/problem.ts';
import { parseTarget } from '../rest/serve.ts';
import { matchesFilter, type Condition, type ParsedFilter } from './journal-filter.ts';
import type { JournalEntry, Why } from './recorded-exchange.ts';

const maxShown = 5;
const maxSimilar = 3;

/**
 * Returns lines for the requests that match a filter, or else for the most similar ones. Beside requests that match,
 * others are noise.
 *
 * @param entries those to compare if none matches (default: none)
 * @param why says why a request has its response
 */
export function seenRequests(
  filter: ParsedFilter,
  found: readonly JournalEntry[],
  entries?: readonly JournalEntry[],
  why?: Why,
): string[] {
  if (found.length > 0 || entries === undefined)
    return found.slice(-maxShown).map((entry) => `  = ${entryTitle(entry, why)}`);
  return mostSimilar(filter, entries, why);
}

/** Returns the most similar requests, each with the conditions that it does not meet. */
function mostSimilar(
  filter: ParsedFilter,
  entries: readonly JournalEntry[],
  why: Why | undefined,
): string[] {
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
    ...near.flatMap(({ entry }) => [`  ~ ${entryTitle(entry, why)}`, ...diff(filter, entry)]),
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

/** `#3 PUT /api/checkouts/1 → 200 (purchase): declined by script 2 (card ends in 0002)` */
function entryTitle(entry: JournalEntry, why: Why | undefined): string {
  const { id, method, url, answer, step, state } = entry;
  const outcome = state === 'sent' ? String(answer.status) : state.replace('-', ' ');
  const reason = why?.(entry);
  const title = `#${id} ${method} ${truncate(url)} → ${outcome}${step === undefined ? '' : ` (${step})`}`;
  return reason === undefined ? title : `${title}: ${reason}`;
}
