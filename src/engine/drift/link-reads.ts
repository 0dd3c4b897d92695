import { inParallel, type Inspection } from './inspection.ts';
import type { Item } from './items.ts';
import { idsIn, withoutPrefix } from './rule.ts';

/** What the reads have found, for later requests. */
export interface Collected {
  /** Items of the collections by resource: `orders`. */
  readonly items: Map<string, readonly Item[]>;
  /** Links to follow: each with the place where it was first found. */
  readonly links: Map<string, string>;
}

/** Maximum number of links that are kept. */
const maxLinks = 10_000;

/** Remembers the links in a body, to follow them later. */
export function collectLinks(value: unknown, from: string, { links }: Collected): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'href' && typeof inner === 'string') {
      if (!links.has(inner) && links.size < maxLinks) links.set(inner, from);
    } else collectLinks(inner, from, { links } as Collected);
  }
}

/** Maximum number of links to follow, and the maximum length of one. */
const [maxFollowed, maxUrl] = [500, 2000];

/** Reads some of the links of each form, and checks that they lead to the record that they name. */
export async function followLinks(inspection: Inspection, { links }: Collected): Promise<void> {
  const groups = Map.groupBy(links.keys(), (href) => href.replaceAll(/\d+/g, '*'));
  const some = [...groups.values()].flatMap((hrefs) => hrefs.slice(0, 6));
  if (some.length > maxFollowed) {
    inspection.notes.push(`Links have ${groups.size} forms. Only ${maxFollowed} were followed.`);
  }
  await inParallel(some.slice(0, maxFollowed), async (href) => {
    const url = withoutPrefix(href, inspection.client);
    if (!url.startsWith('/api/') || url.length > maxUrl) return;
    const request = { method: 'GET', url };
    const seen = await inspection.ask(request);
    if (seen.status !== 200 && isOfDeleted(url)) return;
    if (!inspection.expectStatus(request, seen, 200, `${links.get(href)} links to it`)) return;
    const { id } = (seen.json ?? {}) as { id?: unknown };
    if (id !== undefined && id !== idsIn(url).at(-1)) {
      inspection.reporter(request)('link', 'body.id', String(idsIn(url).at(-1)), id);
    }
  });
}

/** Records keep links to others that have been deleted: payments to an order, orders to products and channels. */
function isOfDeleted(href: string): boolean {
  return /\/api\/(orders|products|channels|shipping-methods|payment-methods)\//.test(href);
}
