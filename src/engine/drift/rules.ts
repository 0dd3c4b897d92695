import type { ApiDefinition } from '../definition/api.ts';
import type { DriftDefinition, Known, Report, Viewed } from '../definition/drift.ts';
import { derivedOf } from './derived.ts';
import { unixSeconds } from './finding.ts';
import { pageRule } from './page-rules.ts';
import { at, idsIn, linksOf, withoutPrefix } from './rule.ts';

/** An API, and what its definition says of other servers. */
interface CheckedApi {
  readonly api: ApiDefinition;
  readonly drift?: DriftDefinition | undefined;
}

/** Reports what is wrong with a view: its links and times, its page, and what the rules of the API say. */
export function checkView(
  viewed: Viewed,
  report: Report,
  known: Known,
  { api, drift }: CheckedApi,
): void {
  checkLinks(viewed, report, known, { api, drift });
  checkStamps(viewed, report);
  if (viewed.view === 'Page') pageRule(viewed as Viewed<never>, report, known);
  for (const rule of drift?.rules[viewed.view] ?? []) rule(viewed as Viewed<never>, report, known);
}

function checkLinks(
  viewed: Viewed,
  report: Report,
  known: Known,
  { api, drift }: CheckedApi,
): void {
  if (viewed.view === 'Page') return;
  for (const [name, href] of linksOf(viewed)) {
    const target = name === 'self' ? derivedOf(api).selves.get(viewed.view) : drift?.links[name];
    if (target === undefined) continue;
    const place = at(viewed, '_links', name, 'href');
    const pattern = new RegExp(`^${target.replaceAll('*', '(?:[1-9]\\d*|[\\da-f-]{36})')}$`);
    const path = withoutPrefix(href, known);
    if (!pattern.test(path)) report('link', place, target.replaceAll('*', ':id'), href);
    else if (name === 'self' && idsIn(path).at(-1) !== viewed.value['id']) {
      report('link', place, `the record itself, ${String(viewed.value['id'])}`, href);
    }
  }
}

/** Nothing is changed before it is created. */
function checkStamps(viewed: Viewed, report: Report): void {
  const { created_at: created, updated_at: updated } = viewed.value;
  if (typeof created !== 'string' || typeof updated !== 'string' || created === updated) return;
  if (unixSeconds(updated) < unixSeconds(created)) {
    report('value', at(viewed, 'updated_at'), `${created}, created_at, or later`, updated);
  }
}
