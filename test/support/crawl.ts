import { contract } from '../../src/resources/index.ts';
import type { Answered } from './office.ts';

/** Reads an address: `(url) => call(`GET ${url}`)`. */
export type Read = (url: string) => Answered | Promise<Answered>;

export interface Crawled {
  /** How many links were read. */
  readonly count: number;
  /** The links that answered another status than 200: the link, its status and its message. */
  readonly broken: readonly string[];
}

/** Every endpoint that can be read without knowing an id. */
export const roots: readonly string[] = contract
  .filter(({ method, path }) => method === 'GET' && !path.includes(':'))
  .map(({ path }) => path);

/**
 * Reads every link of these answers, every link of what they lead to, and so on, each link once.
 *
 * @param from bodies to begin at
 */
export async function crawl(read: Read, from: unknown): Promise<Crawled> {
  const links = new Set(hrefsIn(from));
  const broken: string[] = [];
  // A set also iterates over what is added meanwhile: breadth first.
  for (const href of links) {
    const { status, headers, body } = await read(href);
    if (status !== 200) broken.push(`${href}: ${status} ${body?.message}`);
    for (const next of hrefsIn(body)) links.add(next);
    if (headers['location'] !== undefined) links.add(headers['location']);
  }
  return { count: links.size, broken: broken.toSorted() };
}

/** Every `href` that a value holds, at whatever depth. */
export function hrefsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    name === 'href' ? [String(inner)] : hrefsIn(inner),
  );
}
