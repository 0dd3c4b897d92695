import type { ApiDefinition } from '../definition/api.ts';
import { isBelow, namedPath, nameOf } from '../lib/api-path.ts';
import type { Settings } from '../../shop/scenario.ts';
import { bodyPath, shown, type Report } from './finding.ts';
import type { Viewed } from './shape.ts';

/** What is known about the server that a response came from. */
export interface Known {
  /** The path in front of that of the API in links; links without it are accepted, too. */
  readonly prefix?: string | undefined;
  /** The path of the API (default: `/api`). */
  readonly apiPath?: string | undefined;
  /** The settings that the server has, as far as they are known. */
  readonly settings?: Partial<Settings> | undefined;
  /** The API that it should have. */
  readonly api: ApiDefinition;
  /** The path and the query of the request, as the contract has them. */
  readonly url: string;
}

export type ViewCheck = (viewed: Viewed<never>, report: Report, known: Known) => void;

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

/** Returns the ids in the path of a link, outermost first. */
export function idsIn(href: string): number[] {
  return Array.from(href.matchAll(/\/(\d+)(?=\/|$)/g), ([, id]) => Number(id));
}

export const orderViews = new Set(['Order', 'OrderInCheckout']);
