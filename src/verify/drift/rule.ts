import type { Facts, Place, Report, ViewNode, ViewReport } from '../../engine/definition/drift.ts';
import { isBelow, namedPath, nameOf } from '../../engine/lib/api-path.ts';
import { isObject, valueAt } from '../../engine/lib/json-value.ts';
import { bodyPath, shown } from './finding.ts';

/** Returns the functions that report differences of a view. */
export function reportOn({ value, path }: ViewNode, report: Report): ViewReport {
  const at = (place: Place): unknown => valueAt(value, [place].flat());
  const own: ViewReport = {
    report: (kind, place, expected, received = at(place)) =>
      report(kind, bodyPath([...path, place].flat()), expected, received),
    equal(kind, place, expected, why, received = at(place)) {
      if (expected !== received) own.report(kind, place, `${shown(expected)}: ${why}`, received);
    },
  };
  return own;
}

/** Returns the links of a view by their names. */
export function linksOf({ value }: ViewNode<object>): ReadonlyMap<string, string> {
  const links = valueAt(value, ['_links']);
  const entries = Object.entries(isObject(links) ? links : {});
  return new Map(
    entries.flatMap(([name, link]) => {
      const href = valueAt(link, ['href']);
      return typeof href === 'string' ? [[name, href]] : [];
    }),
  );
}

/** Returns the path of the contract for that of a link, without what is in front of it; empty if it is not below the API. */
export function withoutPrefix(
  href: string,
  { prefix = '', apiPath = namedPath }: Pick<Facts, 'prefix' | 'apiPath'>,
): string {
  const path = prefix !== '' && href.startsWith(`${prefix}/`) ? href.slice(prefix.length) : href;
  if (apiPath === namedPath) return path;
  return isBelow(apiPath, path) ? nameOf(apiPath, path) : '';
}

/** Returns the ids in the path of a link, outermost first. UUIDs are texts. */
export function idsIn(href: string): (number | string)[] {
  const found = href.matchAll(/\/(?:(\d+)|([\da-f]{8}(?:-[\da-f]{4}){4}[\da-f]{8}))(?=\/|$)/gi);
  return Array.from(found, ([, id, uuid = '']) => (id === undefined ? uuid : Number(id)));
}

/** Returns the methods of a header `Allow` in alphabetical order, without those that a server may leave out. */
export function methodsIn(allow: string | undefined): string | undefined {
  const methods = allow?.split(',').map((method) => method.trim());
  return methods
    ?.filter((one) => one !== 'HEAD' && one !== 'OPTIONS')
    .toSorted()
    .join();
}

/** Returns the name of the view of a record: `PaymentMethod` of `payment-method`, `OrderItem` of `order item`. */
export function viewNamed(noun: string): string {
  return noun.replaceAll(/(?:^|[ -])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
