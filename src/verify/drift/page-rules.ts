import type { Facts, ViewNode, ViewReport } from '../../engine/definition/drift.ts';
import type { PageView } from '../../engine/rest/page.ts';
import { linksOf, withoutPrefix } from './rule.ts';

export function pageRule(
  viewed: ViewNode<PageView<unknown>>,
  check: ViewReport,
  known: Facts,
): void {
  const page = viewed.value;
  const { url, settings = {} } = known;
  const [, query = ''] = url.split('?');
  const sent = new URLSearchParams(query);
  const asked = Number(sent.get('limit') ?? 10);
  check.equal('page', 'page', Number(sent.get('page') ?? 1), 'the page requested');
  const { maxLimit } = settings;
  if (maxLimit !== undefined || page.limit > asked || asked <= 10)
    check.equal('page', 'limit', Math.min(asked, maxLimit ?? asked), 'the limit requested');
  const pages = Math.max(1, Math.ceil(page.total / page.limit));
  check.equal('page', 'pages', pages, 'total / limit, rounded up');
  const rest = page.total - (page.page - 1) * page.limit;
  const count = Math.max(0, Math.min(page.limit, rest));
  const { length } = page._embedded.items;
  check.equal('page', ['_embedded', 'items'], count, 'the number of items', length);
  checkPageLinks(viewed, check, known, pages);
}

function checkPageLinks(
  viewed: ViewNode<PageView<unknown>>,
  { report }: ViewReport,
  known: Facts,
  pages: number,
): void {
  const page = viewed.value;
  const [path = '', query = ''] = known.url.split('?');
  const sent = new URLSearchParams(query);
  const kept = new URLSearchParams();
  for (const [name, value] of sent)
    if (/^(criteria|sorting)\[/.test(name)) kept.append(name, value);
  const start = `${path.endsWith('/') ? path : `${path}/`}?${kept.size > 0 ? `${kept}&` : ''}`;
  const hrefs: Readonly<Record<string, number | undefined>> = {
    self: page.page,
    first: 1,
    last: pages,
    next: page.page < pages ? page.page + 1 : undefined,
  };
  const links = linksOf(viewed);
  for (const [name, to] of Object.entries(hrefs)) {
    const expected = to === undefined ? undefined : `${start}page=${to}&limit=${page.limit}`;
    const href = links.get(name);
    const received = href === undefined ? undefined : withoutPrefix(href, known);
    if (decoded(expected) !== decoded(received))
      report('link', ['_links', name], expected ?? 'no such link', href);
  }
}

/** Two spellings of one URL are the same: `criteria%5Bname%5D` and `criteria[name]`. */
function decoded(url: string | undefined): string | undefined {
  try {
    return url === undefined ? undefined : decodeURIComponent(url.replaceAll('+', ' '));
  } catch {
    return url;
  }
}
