import { decoded } from '../engine/lib/api-path.ts';
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { ApiPages, Section } from './api-pages.ts';

/** A page of the studio: `#/orders/105?tab=money` is the section `orders` with the path `['105']`. */
export interface Route {
  readonly section: string;
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

const chaos: Section = { name: 'chaos', title: 'Chaos', hint: 'what the pages do not survive' };

/** The place of a studio, and its links. */
export class Router {
  /** The sections in their order, home first. */
  readonly sections: ReadonlySignal<readonly Section[]>;
  /** The present route. Assign with `go` only. A panel begins with what its app sends. */
  readonly route = signal<Route>({
    section: 'activity',
    path: [],
    query: new URLSearchParams(),
  });
  /** The packed state in the URL that the page was opened with: `#state=…`. */
  readonly sharedState = signal<string | undefined>(undefined);
  /** Whether the URL and the title of the page are the studio's own. */
  ownsPage = false;
  readonly #pages: ReadonlySignal<ApiPages>;

  /** @param hasFindings whether there is something in the section of chaos, which is not offered otherwise */
  constructor(pages: ReadonlySignal<ApiPages>, hasFindings: ReadonlySignal<boolean>) {
    this.#pages = pages;
    this.sections = computed(() => [
      { name: 'home', title: 'Home', hint: 'what happens now, scenarios' },
      { name: 'activity', title: 'Activity', hint: 'what happened' },
      ...pages.value.sections,
      { name: 'data', title: 'Data', hint: 'every table' },
      { name: 'rules', title: 'Faults', hint: 'slow down, break or decline requests' },
      ...(hasFindings.value ? [chaos] : []),
      { name: 'time', title: 'Time', hint: 'clock, snapshots, sessions' },
      { name: 'docs', title: 'Docs', hint: 'every operation, used or unused' },
    ]);
  }

  /** Keeps the route in the hash of the page's URL, so that links, reloads and the back button work. */
  startHashRoutes(): void {
    this.ownsPage = true;
    const read = (): void => {
      this.sharedState.value = /^#state=([\w-]+)$/.exec(location.hash)?.[1];
      this.route.value = this.#parse(location.hash);
    };
    addEventListener('hashchange', read);
    read();
  }

  /**
   * Follows links to routes where the URL of the page is not the studio's own: in a frame without a URL, and in a panel of
   * another page.
   */
  followLinks(root: Document | ShadowRoot): void {
    root.addEventListener('click', (event) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      const href = link?.getAttribute('href') ?? '';
      if (!href.startsWith('#/') || event.defaultPrevented) return;
      event.preventDefault();
      this.go(href);
    });
  }

  /** Shows a route: what `hrefTo` returns. @param how `replace` adds nothing to the browser's history */
  go(href: string, how?: 'replace'): void {
    if (this.ownsPage) {
      if (how === 'replace') history.replaceState(null, '', href);
      else if (location.hash !== href) history.pushState(null, '', href);
    }
    this.sharedState.value = undefined;
    this.route.value = this.#parse(href);
  }

  /** Returns the link of a record: its page in a section of the API, or that with its fields. */
  hrefToRecord(table: string, id: string | number): string {
    const section = this.#pages.value.sections.find((one) => one.table === table);
    return section === undefined ? hrefTo('data', table, id) : hrefTo(section.name, id);
  }

  /** Returns the link of the present route with other parameters. An empty value removes one. */
  hrefWith(changes: Readonly<Record<string, string | undefined>>): string {
    const { section, path, query } = this.route.value;
    const next = new URLSearchParams(query);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined || value === '') next.delete(name);
      else next.set(name, value);
    }
    const text = next.toString();
    return `${hrefTo(section, ...path)}${text === '' ? '' : `?${text}`}`;
  }

  #parse(hash: string): Route {
    const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
    const [first = '', ...rest] = path.split('/').map(decoded);
    const sections = this.sections.value;
    const section = [...sections, chaos].find(({ name }) => name === first) ?? sections[0]!;
    return {
      section: section.name,
      path: rest.filter((part) => part !== ''),
      query: new URLSearchParams(query),
    };
  }
}

/** Returns the link of a section and of what it shows: `hrefTo('data', 'orders', 105)`. */
export function hrefTo(section: string, ...path: readonly (string | number)[]): string {
  return `#/${[section, ...path].map((part) => encodeURIComponent(part)).join('/')}`;
}

/** Returns the link of an entry of the history, opened. */
export function hrefToEntry(id: number | string): string {
  return `${hrefTo('activity')}?open=${id}`;
}
