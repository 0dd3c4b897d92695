import { formatCount, shortened } from '../lib/problem.ts';

/** Paths that have one shape: `/api/orders/:id` with any one part for `:id`, `/api/orders/*` for everything below. */
export interface PathPattern {
  readonly parts: readonly string[];
  /** Whether paths go on below the parts. */
  readonly open: boolean;
}

/**
 * What is wrong with the text of a pattern.
 *
 * @returns undefined for a good one
 */
export function patternIssue(text: string): string | undefined {
  const wanted = 'expected a path such as /api/orders/:id or /api/orders/*';
  if (!text.startsWith('/')) return `${wanted}, not '${shortened(text)}'`;
  if (text.length > longest) {
    return `it has ${formatCount(text.length)} characters, at most ${formatCount(longest)} are accepted`;
  }
  if (/[?#]/.test(text)) return `${wanted}, without a query`;
  const parts = partsOf(text);
  const odd = parts.find(
    (part, at) =>
      part === '' ||
      part === ':' ||
      /\s/.test(part) ||
      (part.includes('*') && !(part === '*' && at === parts.length - 1)),
  );
  if (odd === undefined) return undefined;
  if (odd.includes('*')) return `${wanted}: * stands alone, and last`;
  return `${wanted}: '${shortened(odd)}' is no part of a path`;
}

const longest = 1000;

/** Reads a pattern that has no mistake. */
export function parsePattern(text: string): PathPattern {
  const parts = partsOf(text);
  const open = parts.at(-1) === '*';
  return { parts: open ? parts.slice(0, -1) : parts, open };
}

/** Whether a path, as it was requested, has this shape. A slash at its end makes no difference. */
export function matchesPath(pattern: PathPattern, path: string): boolean {
  return matchesParts(pattern, partsOf(path));
}

/** The same for a path that was split already, which many patterns are tried on. */
export function matchesParts({ parts, open }: PathPattern, path: readonly string[]): boolean {
  return isLong(parts.length, open, path, (part, at) => {
    const wanted = parts[at] ?? '';
    return wanted.startsWith(':') || wanted === part || isEncoded(wanted, part);
  });
}

/** Percent-coded, a character takes nine at the most. */
function isEncoded(wanted: string, part: string): boolean {
  return part.length <= wanted.length * 9 && wanted === decoded(part);
}

/** Whether some path has this shape and that of an endpoint, `/api/orders/:order_id`. */
export function overlapsPattern({ parts, open }: PathPattern, endpoint: string): boolean {
  return isLong(parts.length, open, partsOf(endpoint), (part, at) => {
    const wanted = parts[at] ?? '';
    return wanted.startsWith(':') || part.startsWith(':') || wanted === part;
  });
}

function isLong(
  length: number,
  open: boolean,
  parts: readonly string[],
  fits: (part: string, at: number) => boolean,
): boolean {
  const long = open ? parts.length > length : parts.length === length;
  return long && parts.slice(0, length).every(fits);
}

/** The parts of a path between its slashes. */
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
