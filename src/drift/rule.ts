import type { Settings } from '../shop/scenario.ts';
import { bodyPath, shown, type Report } from './finding.ts';
import type { Viewed } from './shape.ts';

/** What is known about the server that a response came from. */
export interface Known {
  /** The path in front of `/api` in links; links without it are accepted, too. */
  readonly prefix?: string | undefined;
  /** The settings that the server has, as far as they are known. */
  readonly settings?: Partial<Settings> | undefined;
  /** The path and the query of the request. */
  readonly url: string;
}

export type ViewCheck = (viewed: Viewed, report: Report, known: Known) => void;

export type Values = Readonly<Record<string, unknown>>;

export function at(viewed: Viewed, ...names: PropertyKey[]): string {
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

export function linksOf({ value }: Viewed): [name: string, href: string][] {
  const links = (value['_links'] ?? {}) as Readonly<Record<string, { href: string } | undefined>>;
  return Object.entries(links).flatMap(([name, link]) =>
    link === undefined ? [] : [[name, link.href] as [string, string]],
  );
}

/** Removes the origin and the path in front of `/api`. */
export function withoutPrefix(href: string, { prefix = '' }: Pick<Known, 'prefix'>): string {
  return prefix !== '' && href.startsWith(`${prefix}/`) ? href.slice(prefix.length) : href;
}

/** Returns the ids in the path of a link, outermost first. */
export function idsIn(href: string): number[] {
  return Array.from(href.matchAll(/\/(\d+)(?=\/|$)/g), ([, id]) => Number(id));
}

export const orderViews = new Set(['Order', 'OrderInCheckout']);
