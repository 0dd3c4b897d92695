import { formatCount, truncate } from '../lib/problem.ts';

/** A pattern of paths: `/api/orders/:id` has any one segment for `:id`, `/api/orders/*` any path below. */
export interface PathPattern {
  readonly parts: readonly string[];
  /** Whether it matches only paths with further segments. */
  readonly open: boolean;
}

/**
 * Returns what is wrong with the text of a pattern.
 *
 * @returns undefined for a valid one
 */
export function patternIssue(text: string): string | undefined {
  const expected = 'expected a path such as /api/orders/:id or /api/orders/*';
  if (!text.startsWith('/')) return `${expected}, not '${truncate(text)}'`;
  if (text.length > maxLength) {
    return `it has ${formatCount(text.length)} characters, at most ${formatCount(maxLength)} are accepted`;
  }
  if (/[?#]/.test(text)) return `${expected}, without a query`;
  const parts = partsOf(text);
  const wrong = parts.find(
    (part, at) =>
      part === '' ||
      part === ':' ||
      /\s/.test(part) ||
      (part.includes('*') && !(part === '*' && at === parts.length - 1)),
  );
  if (wrong === undefined) return undefined;
  if (wrong.includes('*')) return `${expected}: * must be the whole last segment`;
  return `${expected}: '${truncate(wrong)}' is not a path segment`;
}

const maxLength = 1000;

/** Parses a valid pattern. */
export function parsePattern(text: string): PathPattern {
  const parts = partsOf(text);
  const open = parts.at(-1) === '*';
  return { parts: open ? parts.slice(0, -1) : parts, open };
}

/** Whether a pattern matches the path of a request. A trailing slash makes no difference. */
export function matchesPath(pattern: PathPattern, path: string): boolean {
  return matchesParts(pattern, partsOf(path));
}

/** The same for a path that is already split, to compare it with many patterns. */
export function matchesParts({ parts, open }: PathPattern, path: readonly string[]): boolean {
  return matchesEach(parts.length, open, path, (part, at) => {
    const wanted = parts[at] ?? '';
    return wanted.startsWith(':') || wanted === part || isEncoded(wanted, part);
  });
}

/** Percent-encoding makes a UTF-16 code unit at most nine characters long. */
function isEncoded(wanted: string, part: string): boolean {
  return part.length <= wanted.length * 9 && wanted === decoded(part);
}

/** Whether a pattern and the path of an endpoint, such as `/api/orders/:order_id`, have a path in common. */
export function overlapsPattern({ parts, open }: PathPattern, endpoint: string): boolean {
  return matchesEach(parts.length, open, partsOf(endpoint), (part, at) => {
    const wanted = parts[at] ?? '';
    return wanted.startsWith(':') || part.startsWith(':') || wanted === part;
  });
}

function matchesEach(
  length: number,
  open: boolean,
  parts: readonly string[],
  matches: (part: string, at: number) => boolean,
): boolean {
  const isLength = open ? parts.length > length : parts.length === length;
  return isLength && parts.slice(0, length).every(matches);
}

/** Splits a path into its segments. */
export function partsOf(path: string): string[] {
  return path.slice(1, path.length > 1 && path.endsWith('/') ? -1 : undefined).split('/');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
