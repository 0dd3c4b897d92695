import { isOfTest } from '../engine/office/interceptor.ts';
import { watchedFetch } from './watched-fetch.ts';
import { watchedXhr } from './watched-xhr.ts';
import type { BeginRequest, SeamContexts } from './seam-request.ts';
import type { WatchedRun } from './watcher.ts';

type ClientName = 'fetch' | 'XMLHttpRequest';

/**
 * Stands between the code under test and what answers `fetch` and `XMLHttpRequest`: MSW, a stub of a test, or a server. Back
 * offices of Backlot in the process see the requests that reach them themselves.
 */
export class ClientSeam {
  readonly #current: () => WatchedRun | undefined;
  readonly #nameOf: (method: string, pathname: string) => string;
  readonly #contexts: SeamContexts;
  readonly #host: typeof globalThis;
  /** The properties of the global object that getters of the seam stand for. */
  readonly #covered = new WeakMap<object, PropertyDescriptor>();
  readonly #watched = new WeakMap<object, object>();
  readonly #original = new WeakMap<object, object>();

  /**
   * @param current returns the run of a test that is in progress
   * @param nameOf returns the name of an endpoint
   * @param host the global object of the code under test
   */
  constructor(
    current: () => WatchedRun | undefined,
    nameOf: (method: string, pathname: string) => string,
    contexts: SeamContexts,
    host = globalThis,
  ) {
    this.#current = current;
    this.#nameOf = nameOf;
    this.#contexts = contexts;
    this.#host = host;
  }

  /** Watches the clients that the global object has now, and what is assigned to their names later. */
  watch(): void {
    this.#cover('fetch', (fetch) => watchedFetch(fetch, this.#begin));
    this.#cover('XMLHttpRequest', (Xhr) => watchedXhr(Xhr, this.#begin, this.#contexts.snapshot));
  }

  /** Ends what `watch` began. */
  restore(): void {
    for (const name of ['fetch', 'XMLHttpRequest'] as const) {
      for (let under = this.#under(name); under !== undefined; under = this.#under(name))
        Object.defineProperty(this.#host, name, under);
    }
  }

  /** Returns the property that a getter of the seam stands for, if one does now. */
  #under(name: ClientName): PropertyDescriptor | undefined {
    // oxlint-disable-next-line typescript/unbound-method -- a key
    const { get } = Object.getOwnPropertyDescriptor(this.#host, name) ?? {};
    return get && this.#covered.get(get);
  }

  #cover<Name extends ClientName>(
    name: Name,
    watched: (client: (typeof globalThis)[Name]) => (typeof globalThis)[Name],
  ): void {
    const under = Object.getOwnPropertyDescriptor(this.#host, name);
    if (under?.configurable !== true || this.#under(name) !== undefined) return;
    const get = (): unknown => {
      const client: unknown = under.get === undefined ? under.value : under.get.call(this.#host);
      if (typeof client !== 'function') return client;
      const known = this.#watched.get(client) ?? watched(client as (typeof globalThis)[Name]);
      this.#watched.set(client, known);
      this.#original.set(known, client);
      return known;
    };
    const set = (assigned: unknown): void => {
      const client = this.#original.get(assigned as object) ?? assigned;
      if (under.set === undefined) under.value = client;
      else under.set.call(this.#host, client);
    };
    this.#covered.set(get, under);
    const { enumerable = true } = under;
    Object.defineProperty(this.#host, name, { get, set, enumerable, configurable: true });
  }

  readonly #begin: BeginRequest = (method, url) => {
    const isWatched = !isOfTest() && !this.#contexts.isInside();
    const run = isWatched ? this.#current() : undefined;
    const { location }: Partial<typeof globalThis> = this.#host;
    const target = URL.parse(url, location?.href) ?? URL.parse(url, 'http://localhost');
    if (run === undefined || target === null || !isOfApi(target)) return undefined;
    const { pathname, search } = target;
    const call = run.sendFromClient(this.#nameOf(method, pathname), method, pathname + search);
    return { run, call, within: this.#contexts.inside, host: this.#host };
  };
}

/** Whether a URL may be one of an API: not a module or blob of the page, and no control endpoint of Backlot. */
function isOfApi({ protocol, pathname }: URL): boolean {
  return /^https?:$/.test(protocol) && !pathname.includes('/_backlot/');
}
