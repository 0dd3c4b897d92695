import { distance } from 'fastest-levenshtein';
import { formatCount, Problem, truncate } from './problem.ts';

/** Maximum number of unknown keys in a message. */
const maxNamed = 10;
/** Maximum number of known keys that a message lists: more than there are tables, fewer than there are endpoints. */
const maxKnown = 50;

/**
 * `Unrecognized key: "firstName" (did you mean "first_name"?); known: id, first_name`
 *
 * @param what what the keys name
 */
export function unknownKeys(
  keys: readonly string[],
  known: readonly string[],
  what = 'key',
): string {
  const named = keys.slice(0, maxNamed).map((key) => {
    const like = closest(key, known);
    return `"${truncate(key, 80)}"${like === undefined ? '' : ` (did you mean "${like}"?)`}`;
  });
  const more = keys.length - named.length;
  return [
    `Unrecognized ${keys.length === 1 ? what : `${what}s`}: ${named.join(', ')}`,
    ...(more > 0 ? [` and ${formatCount(more)} more`] : []),
    ...(known.length > 0 ? [`; known: ${listed(known)}`] : []),
  ].join('');
}

/** Joins names; of many, the first ones. */
function listed(names: readonly string[]): string {
  if (names.length <= maxKnown) return names.join(', ');
  return `${names.slice(0, maxNamed).join(', ')} and ${names.length - maxNamed} more`;
}

/** The names of all options of a function: JavaScript does not check them. */
export type NamesOf<Options> = Readonly<Record<keyof Options, true>>;

/**
 * Checks the names of options.
 *
 * @param what the function that they are passed to
 * @param known an object with the names of its options
 * @throws Problem `invalid` for those that it does not have
 */
export function assertOptions(
  what: string,
  options: object,
  known: Readonly<Record<string, unknown>>,
): void {
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(known, name));
  if (unknown.length === 0) return;
  const names = Object.keys(known).toSorted();
  throw new Problem('invalid', `${what}: ${unknownKeys(unknown, names, 'option')}`);
}

/** ` Did you mean sale?`, with a space before it; empty if no known name is like a name. */
export function hintOf(name: string, known: readonly string[]): string {
  const like = closest(name, known);
  return like === undefined ? '' : ` Did you mean ${like}?`;
}

/**
 * Returns the known key with the smallest Levenshtein distance from a key, if at most a third of the key differs. Two letters
 * in each other's place count as one difference.
 */
export function closest(key: string, known: readonly string[]): string | undefined {
  let max = Math.min(key.length, 30) / 3;
  let best: string | undefined;
  for (const one of key.length > 80 ? [] : known) {
    const score = isTransposed(key, one) ? 1 : distance(key, one);
    if (score <= max) [best, max] = [one, score - 1];
  }
  return best;
}

/** Whether two neighbouring letters are in each other's place: `emial` of `email`. */
function isTransposed(key: string, other: string): boolean {
  const at = Array.from(key).findIndex((letter, place) => letter !== other[place]);
  const swapped = `${key.slice(0, at)}${key.charAt(at + 1)}${key.charAt(at)}${key.slice(at + 2)}`;
  return at >= 0 && swapped === other;
}
