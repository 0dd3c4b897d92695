import type { Facts, ViewNode, ViewReport } from '../../engine/definition/drift.ts';
import { decoded } from '../../engine/lib/api-path.ts';
import { page, type PageView } from '../../engine/rest/page.ts';
import { parseTarget } from '../../engine/rest/serve.ts';
import { linksOf, withoutPrefix } from './rule.ts';

/** Compares a page with the one that a back office makes of as many records. */
export function pageRule(
  viewed: ViewNode<PageView<unknown>>,
  { equal, report }: ViewReport,
  known: Facts,
): void {
  const shown = viewed.value;
  const target = parseTarget(known.url);
  const sent = new URLSearchParams(target.query);
  const asked = Number(sent.get('limit') ?? 10);
  equal('page', 'page', Number(sent.get('page') ?? 1), 'the page requested');
  const { maxLimit } = known.settings ?? {};
  if (maxLimit !== undefined || shown.limit > asked || asked <= 10)
    equal('page', 'limit', Math.min(asked, maxLimit ?? asked), 'the limit requested');
  const listing = { total: shown.total, slice: () => [] };
  const expected = page(listing, String, { query: shown, target, maxLimit: shown.limit });
  equal('page', 'pages', expected.pages, 'total / limit, rounded up');
  const rest = shown.total - (shown.page - 1) * shown.limit;
  const count = Math.max(0, Math.min(shown.limit, rest));
  const { length } = shown._embedded.items;
  equal('page', ['_embedded', 'items'], count, 'the number of items', length);
  const links = linksOf(viewed);
  for (const name of ['self', 'first', 'last', 'next'] as const) {
    const href = links.get(name);
    const wanted = expected._links[name]?.href;
    if (plain(wanted) !== plain(href && withoutPrefix(href, known)))
      report('link', ['_links', name], wanted ?? 'no such link', href);
  }
}

/** Two spellings of one URL are the same: `criteria%5Bname%5D` and `criteria[name]`. */
function plain(url: string | undefined): string | undefined {
  return url && decoded(url.replaceAll('+', ' '));
}
