import type { Known, Report, Viewed } from '../definition/drift.ts';
import { isBelow, namedPath, nameOf } from '../lib/api-path.ts';
import { bodyPath, shown } from './finding.ts';

export function at(viewed: Pick<Viewed, 'path'>, ...names: PropertyKey[]): string {
  return bodyPath([...viewed.path, ...names]);
}

export function expectEqual(
  report: Report,
  kind: Parameters<Report>[0],
  place: string,
  expected: unknown,
  why: string,
  received: unknown,
): void {
  if (expected !== received) {
    report(kind, place, `${shown(expected)}: ${why}`, received);
  }
}

export type LinkedView = Viewed<{ readonly _links?: unknown }>;

export function linksOf({ value }: LinkedView): [name: string, href: string][] {
  const links = (value._links ?? {}) as Readonly<Record<string, { href: string } | undefined>>;
  return Object.entries(links).flatMap(([name, link]) =>
    link === undefined ? [] : [[name, link.href] as [string, string]],
  );
}

/** Returns the path of the contract for that of a link, without what is in front of it; empty if it is not below the API. */
export function withoutPrefix(
  href: string,
  { prefix = '', apiPath = namedPath }: Pick<Known, 'prefix' | 'apiPath'>,
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
