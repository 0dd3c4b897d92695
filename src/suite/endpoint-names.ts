import { parsedUrl } from '../engine/lib/parsed-url.ts';
import { ForeignTextError } from '../engine/lib/json-limits.ts';
import { isObject, valueAt } from '../engine/lib/json-value.ts';

/**
 * Returns the paths of an OpenAPI 3 document, behind the base paths of its servers, with parameters as in Express:
 * `/api/orders/:order_id`.
 *
 * @throws ForeignTextError for what is no such document
 */
export function pathsOf(document: unknown): string[] {
  const paths = valueAt(document, ['paths']);
  if (!isObject(paths)) throw new ForeignTextError('it has no paths, as an OpenAPI document has');
  const servers = valueAt(document, ['servers']);
  const bases = Array.isArray(servers) && servers.length > 0 ? servers.map(basePathOf) : [''];
  return [...new Set(bases)].flatMap((base) =>
    Object.keys(paths).map((path) => `${base}${path.replaceAll(/\{([^{}]+)\}/g, ':$1')}`),
  );
}

/** `https://{region}.shop.test/v1/` → `/v1` */
function basePathOf(server: unknown): string {
  const url = textAt(server, ['url'], '/').replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
    textAt(server, ['variables', name, 'default'], name),
  );
  return (parsedUrl(url, 'http://localhost')?.pathname ?? '').replace(/\/$/, '');
}

function textAt(value: unknown, path: readonly string[], otherwise: string): string {
  const text = valueAt(value, path);
  return typeof text === 'string' ? text : otherwise;
}

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
    const [best] = known
      .filter((path) => fits(path, segments))
      .toSorted((one, other) => parametersIn(one) - parametersIn(other));
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

function fits(path: readonly string[], segments: readonly string[]): boolean {
  return (
    path.length === segments.length &&
    path.every((part, at) => (part.startsWith(':') ? segments[at] !== '' : part === segments[at]))
  );
}

function parametersIn(path: readonly string[]): number {
  return path.filter((part) => part.startsWith(':')).length;
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

function isPlural(text: string): boolean {
  return /[^s]s$/.test(text);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
