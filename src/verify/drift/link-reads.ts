import type { ReadResults } from '../../engine/definition/drift.ts';
import { isObject, valueAt } from '../../engine/lib/json-value.ts';
import { inParallel } from './in-parallel.ts';
import type { Inspection } from './inspection.ts';
import { resourceOf } from './resources.ts';
import { idsIn, withoutPrefix } from './rule.ts';

/** Maximum number of links that are kept. */
const maxLinks = 10_000;

/** Remembers the links in a body, to follow them later. */
export function collectLinks(
  value: unknown,
  from: string,
  { links }: Pick<ReadResults, 'links'>,
): void {
  for (const href of linksIn(value))
    if (!links.has(href) && links.size < maxLinks) links.set(href, from);
}

/** Returns the links in a body. */
export function linksIn(value: unknown): string[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'href' && typeof inner === 'string' ? [inner] : linksIn(inner),
  );
}

/** Maximum number of links to follow, and the maximum length of one. */
const [maxFollowed, maxUrl] = [500, 2000];

/** Reads some of the links of each form, and checks that they lead to the record that they name. */
export async function followLinks(inspection: Inspection, { links }: ReadResults): Promise<void> {
  const groups = Map.groupBy(links.keys(), (href) =>
    href.replaceAll(/\/(?:\d+|[\da-f-]{36})(?=\/|$)/gi, '/*'),
  );
  const some = [...groups.values()].flatMap((hrefs) => hrefs.slice(0, 6));
  if (some.length > maxFollowed) {
    inspection.notes.push(`Links have ${groups.size} forms. Only ${maxFollowed} were followed.`);
  }
  await inParallel(some.slice(0, maxFollowed), async (href) => {
    const url = withoutPrefix(href, inspection.client);
    if (!url.startsWith('/api/') || url.length > maxUrl) return;
    const request = { method: 'GET', url };
    const seen = await inspection.ask(request);
    if (seen.status !== 200 && inspection.drift?.outlived.includes(resourceOf(url)) === true)
      return;
    if (!inspection.expectStatus(request, seen, 200, `${links.get(href)} links to it`)) return;
    const id = valueAt(seen.json, ['id']);
    if (id !== undefined && id !== idsIn(url).at(-1)) {
      inspection.reporter(request)('link', 'body.id', String(idsIn(url).at(-1)), id);
    }
  });
}
