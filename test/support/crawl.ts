import { contract } from '../../src/shop/resources/index.ts';
import type { Answered } from './office.ts';

/** Sends a GET request: `(url) => call(`GET ${url}`)`. */
export type Read = (url: string) => Answered | Promise<Answered>;

export interface Crawled {
  /** Number of links read. */
  readonly count: number;
  /** The links whose status is not 200: the link, its status and its message. */
  readonly broken: readonly string[];
}

/** The paths of GET endpoints without parameters. */
export const roots: readonly string[] = contract
  .filter(({ method, path }) => method === 'GET' && !path.includes(':'))
  .map(({ path }) => path);

/**
 * Reads every link of some bodies and of the responses to these links, breadth first, each link once.
 *
 * @param from bodies to start from
 */
export async function crawl(read: Read, from: unknown): Promise<Crawled> {
  const links = new Set(hrefsIn(from));
  const broken: string[] = [];
  // Iterating over a set includes links that are added meanwhile.
  for (const href of links) {
    const { status, headers, body } = await read(href);
    if (status !== 200) broken.push(`${href}: ${status} ${body?.message}`);
    for (const next of hrefsIn(body)) links.add(next);
    if (headers['location'] !== undefined) links.add(headers['location']);
  }
  return { count: links.size, broken: broken.toSorted() };
}

/** Returns every `href` in a value, at any depth. */
export function hrefsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    name === 'href' ? [String(inner)] : hrefsIn(inner),
  );
}
