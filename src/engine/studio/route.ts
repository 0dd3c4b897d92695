import { decoded } from '../lib/api-path.ts';
import { computed, signal } from '@preact/signals';
import { apiPages, type Section } from './api-pages.ts';

/** The sections in their order, home first. */
export const sections = computed((): readonly Section[] => [
  { name: 'home', title: 'Home', hint: 'where to begin' },
  { name: 'activity', title: 'Activity', hint: 'what happened' },
  ...apiPages().sections,
  { name: 'data', title: 'Data', hint: 'every table' },
  { name: 'rules', title: 'Rules', hint: 'faults and script' },
  { name: 'time', title: 'Time', hint: 'clock, snapshots, sessions' },
  { name: 'docs', title: 'Docs', hint: 'every operation' },
]);

/** What the page shows: `#/orders/105?tab=money` is the section `orders` with the path `['105']`. */
export interface Route {
  readonly section: string;
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

/** The present route. Assign with `go` only. A panel begins with what its app sends. */
export const route = signal<Route>({
  section: 'activity',
  path: [],
  query: new URLSearchParams(),
});

let isInHash = false;

/** Whether the URL and the title of the page are the studio's own. */
export function ownsPage(): boolean {
  return isInHash;
}

/** Keeps the route in the hash of the page's URL, so that links, reloads and the back button work. */
export function startHashRoutes(): void {
  isInHash = true;
  addEventListener('hashchange', readHash);
  readHash();
}

function readHash(): void {
  route.value = parseRoute(location.hash);
}

/**
 * Follows links to routes where the URL of the page is not the studio's own: in a frame without a URL, and in a panel of
 * another page.
 */
export function followLinks(root: Document | ShadowRoot): void {
  root.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const href = link?.getAttribute('href') ?? '';
    if (!href.startsWith('#/') || event.defaultPrevented) return;
    event.preventDefault();
    go(href);
  });
}

/** Shows a route: what `hrefTo` returns. @param how `replace` adds nothing to the browser's history */
export function go(href: string, how?: 'replace'): void {
  if (isInHash) {
    if (how === 'replace') history.replaceState(null, '', href);
    else if (location.hash !== href) history.pushState(null, '', href);
  }
  route.value = parseRoute(href);
}

/** Returns the link of a section and of what it shows: `hrefTo('data', 'orders', 105)`. */
export function hrefTo(section: string, ...path: readonly (string | number)[]): string {
  return `#/${[section, ...path].map((part) => encodeURIComponent(part)).join('/')}`;
}

/** Returns the link of a record: its page in a section of the API, or that with its fields. */
export function hrefToRecord(table: string, id: string | number): string {
  const section = apiPages().sections.find((one) => one.table === table);
  return section === undefined ? hrefTo('data', table, id) : hrefTo(section.name, id);
}

/** Returns the link of an entry of the history, opened. */
export function hrefToEntry(id: number | string): string {
  return `${hrefTo('activity')}?open=${id}`;
}

/** Returns the link of the present route with other parameters. An empty value removes one. */
export function hrefWith(changes: Readonly<Record<string, string | undefined>>): string {
  const { section, path, query } = route.value;
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  return `${hrefTo(section, ...path)}${text === '' ? '' : `?${text}`}`;
}

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const [first = '', ...rest] = path.split('/').map(decoded);
  const section = sections.value.find(({ name }) => name === first) ?? sections.value[0]!;
  return {
    section: section.name,
    path: rest.filter((part) => part !== ''),
    query: new URLSearchParams(query),
  };
}
