import type { ApiDefinition } from '../../engine/definition/api.ts';
import type {
  DriftDefinition,
  Facts,
  Report,
  ViewNode,
  ViewReport,
} from '../../engine/definition/drift.ts';
import { memoized } from '../../engine/lib/memoized.ts';
import { unixSeconds } from './finding.ts';
import { pageRule } from './page-rules.ts';
import { idsIn, linksOf, reportOn, viewNamed, withoutPrefix } from './rule.ts';

/** An API, and what its definition says of other servers. */
interface CheckedApi {
  readonly api: ApiDefinition;
  readonly drift?: DriftDefinition | undefined;
}

/** Reports what is wrong with a view: its links and times, its page, and what the rules of the API say. */
export function checkView(
  viewed: ViewNode,
  report: Report,
  known: Facts,
  { api, drift }: CheckedApi,
): void {
  const check = reportOn(viewed, report);
  const isPage = viewed.view === 'Page';
  if (!isPage) checkLinks(viewed, check, known, { api, drift });
  checkStamps(viewed, check);
  // Its value has the shape of its view, which no type says: views are found by their names.
  const shaped = viewed as ViewNode<never>;
  if (isPage) pageRule(shaped, check, known);
  for (const rule of drift?.rules[viewed.view] ?? []) rule(shaped, check, known);
}

function checkLinks(
  viewed: ViewNode,
  { report }: ViewReport,
  known: Facts,
  { api, drift }: CheckedApi,
): void {
  for (const [name, href] of linksOf(viewed)) {
    const view = name === 'self' ? viewed.view : viewNamed(name);
    const target = drift?.links[name] ?? recordPathsOf(api).get(view);
    if (target === undefined) continue;
    const place = ['_links', name, 'href'];
    const pattern = new RegExp(`^${target.replaceAll('*', '(?:[1-9]\\d*|[\\da-f-]{36})')}$`);
    const path = withoutPrefix(href, known);
    if (!pattern.test(path)) report('link', place, target.replaceAll('*', ':id'));
    else if (name === 'self' && idsIn(path).at(-1) !== viewed.value['id']) {
      report('link', place, `the record itself, ${String(viewed.value['id'])}`);
    }
  }
}

/** Nothing is changed before it is created. */
function checkStamps({ value }: ViewNode, { report }: ViewReport): void {
  const { created_at: created, updated_at: updated } = value;
  if (typeof created !== 'string' || typeof updated !== 'string' || created === updated) return;
  if (unixSeconds(updated) < unixSeconds(created)) {
    report('value', 'updated_at', `${created}, created_at, or later`);
  }
}

/** Returns the paths of single records by the name of their view, `*` for an id: `/api/orders/*`. Memoized. */
const recordPathsOf = memoized(
  ({ endpoints, views }: ApiDefinition): ReadonlyMap<string, string> =>
    new Map(
      endpoints.flatMap(({ method, path, answer }) => {
        const view = answer && views().get(answer);
        if (view === undefined || method !== 'GET' || !/:\w+\/?$/.test(path)) return [];
        return [[view.id, path.replaceAll(/:\w+/g, '*').replace(/\/$/, '')] as const];
      }),
    ),
);
