import { decoded } from '../engine/lib/api-path.ts';

/** Returns the name of an endpoint: `GET /api/orders/:order_id`. */
export type NameOf = (method: string, pathname: string) => string;

/**
 * Returns a function that names the endpoint of a request. A path that fits none of the known ones has `:id` in the place of
 * numbers, UUIDs and other ids, emails and slugs.
 *
 * @param paths known paths, with parameters as in Express
 */
export function endpointNames(paths: readonly string[] = []): NameOf {
  const known = paths.map((path) => path.split('/'));
  return (method, pathname) => {
    const segments = pathname.split('/');
    const [best] = closest(known, (path) => path, segments);
    const isValue = (segment: string, at: number): boolean => {
      const text = decoded(segment);
      // `POST /users/reset-password` begins an action.
      const isAction = method === 'POST' && at === segments.length - 1;
      return isId(text) || (!isAction && isSlug(text, segments[at - 1] ?? ''));
    };
    const named = best ?? segments.map((segment, at) => (isValue(segment, at) ? ':id' : segment));
    return `${method} ${named.join('/')}`;
  };
}

/**
 * Returns those that fit a path, with the fewest parameters.
 *
 * @param pathOf returns the segments of one
 * @param parameter finds a parameter (default: as in Express, `:id`)
 */
export function closest<One>(
  all: readonly One[],
  pathOf: (one: One) => readonly string[],
  segments: readonly string[],
  parameter = /:\w+/,
): One[] {
  const fitting = all.filter((one) => fits(pathOf(one), segments, parameter));
  const countOf = (one: One): number => pathOf(one).filter((part) => parameter.test(part)).length;
  const least = Math.min(...fitting.map(countOf));
  return fitting.filter((one) => countOf(one) === least);
}

/** Whether segments fit those of a path, which may have more than a parameter: `:id.json`. */
export function fits(
  path: readonly string[],
  segments: readonly string[],
  parameter: RegExp,
): boolean {
  const fitsPart = (part: string, segment: string): boolean => {
    const [start = '', ...rest] = part.split(parameter);
    const end = rest.at(-1);
    if (end === undefined) return part === segment;
    const isLonger = segment.length > start.length + end.length;
    return isLonger && segment.startsWith(start) && segment.endsWith(end);
  };
  return path.length === segments.length && path.every((part, at) => fitsPart(part, segments[at]!));
}

/**
 * Whether a segment of a path is a number, hexadecimal (also a UUID), long with two digits at least, as ULIDs and tokens are, ends
 * with a number of its own (`SKU-7`), is an email, or has spaces.
 */
function isId(text: string): boolean {
  return (
    /^\d+$/.test(text) ||
    /^(?=.*\d)[\da-f-]{8,}$/i.test(text) ||
    /^(?=.*\d.*\d)[\w-]{16,}$/.test(text) ||
    /[-_]\d+$/.test(text) ||
    /.@.|\s/.test(text)
  );
}

/**
 * Whether words are the name of one record, such as the title of an article: two behind the name of a list, or more. The name of
 * a list has words, too: `order-line-items`.
 */
function isSlug(text: string, before: string): boolean {
  const words = text.split('-');
  const isOfWords = words.every((word) => /^[\p{L}\d]+$/u.test(word));
  return isOfWords && words.length + Number(isPlural(before)) - Number(isPlural(text)) > 2;
}

/** Whether a word is the name of a list, as most of those that end with `s`. */
export function isPlural(text: string): boolean {
  return /[^s]s$/.test(text);
}
