import { parsedUrl } from '../engine/lib/api-path.ts';
import { isOfTest } from '../engine/office/interceptor.ts';
import { isObject } from '../engine/lib/json-value.ts';
import { senderLineOf } from './callers.ts';
import type { NameOf } from './endpoint-names.ts';
import { graphQlRequest } from './graphql-operations.ts';
import { errorText } from './thrown-error.ts';
import { watchedFetch, type Reading } from './watched-fetch.ts';
import { watchedResponse } from './watched-response.ts';
import { watchedXhr } from './watched-xhr.ts';
import type { BeginRequest, SeamClient, SeamContexts } from './seam-request.ts';
import type { WatchedRun } from './watched-run.ts';

/** Where a seam is, if not in this global object with its clients alone. */
export interface SeamPlace {
  /** The global object of the tests. */
  readonly host?: typeof globalThis;
  /** Returns the clients beside `fetch` and `XMLHttpRequest`. */
  readonly clients?: (
    begin: BeginRequest,
    contexts: SeamContexts,
    host: typeof globalThis,
  ) => readonly SeamClient[];
  /** Called when properties of clients have been defined. */
  readonly onDefined?: () => void;
}

/** What a seam defines itself, it does not watch. */
const { defineProperty } = Object;

/**
 * Stands between the code under test and what answers `fetch`, `XMLHttpRequest` and other clients: MSW, a stub of a test, or a
 * server. Back offices of Backlot in the process see the requests that reach them themselves.
 */
export class ClientSeam {
  readonly #current: () => WatchedRun | undefined;
  readonly #nameOf: NameOf;
  readonly #contexts: SeamContexts;
  readonly #host: typeof globalThis;
  readonly #clients: readonly SeamClient[];
  readonly #onDefined: () => void;
  /** The properties that getters of the seam stand for. */
  readonly #covered = new WeakMap<object, PropertyDescriptor>();
  readonly #watched = new WeakMap<object, object>();
  readonly #original = new WeakMap<object, object>();
  #restoreDefining: (() => void) | undefined;

  /**
   * @param current returns the run of a test that is in progress
   * @param nameOf returns the name of an endpoint
   */
  constructor(
    current: () => WatchedRun | undefined,
    nameOf: NameOf,
    contexts: SeamContexts,
    { host = globalThis, clients = () => [], onDefined = () => {} }: SeamPlace = {},
  ) {
    this.#current = current;
    this.#nameOf = nameOf;
    this.#contexts = contexts;
    this.#host = host;
    this.#onDefined = onDefined;
    const begin = this.#begin;
    const watchResponse = (Class: typeof Response): object =>
      watchedResponse(Class, this.#readingOf, host);
    this.#clients = [
      { owner: host, name: 'fetch', watched: (fetch) => watchedFetch(fetch, begin) },
      { owner: host, name: 'Response', watched: watchResponse },
      {
        owner: host,
        name: 'XMLHttpRequest',
        watched: (Xhr) => watchedXhr(Xhr, begin, contexts.snapshot),
      },
      ...(['error', 'warn'] as const).map((name) => ({
        owner: host.console,
        name,
        watched: this.#watchedLog,
      })),
      ...clients(begin, contexts, host),
    ];
  }

  /** Watches the clients that there are now, and what is assigned to their names later. */
  watch(): void {
    this.#restoreDefining ??= this.#observeDefining();
    const defined = this.#clients.filter((client) => this.#cover(client));
    if (defined.length > 0) this.#onDefined();
  }

  /** What MSW defines in the place of a client is watched at once: the code under test may keep it. */
  #observeDefining(): () => void {
    const { Object: object } = this.#host;
    const before = object.defineProperty;
    object.defineProperty = (target, name, property) => {
      const result = before(target, name, property);
      const isClientOf = this.#clients.some((one) => one.owner === target && one.name === name);
      if (isClientOf) this.watch();
      return result;
    };
    return () => {
      object.defineProperty = before;
    };
  }

  /** Ends what `watch` began. */
  restore(): void {
    this.#restoreDefining?.();
    this.#restoreDefining = undefined;
    for (const client of this.#clients) {
      const { owner, name } = client;
      for (let under = this.#under(client); under !== undefined; under = this.#under(client))
        defineProperty(owner, name, under);
    }
    this.#onDefined();
  }

  /** Returns the property that one of the seam stands for, if there is one now. */
  #under({ owner, name }: SeamClient): PropertyDescriptor | undefined {
    const property: Property = Object.getOwnPropertyDescriptor(owner, name) ?? {};
    const { get, value } = property;
    if (get !== undefined) return this.#covered.get(get);
    const original = isClient(value) ? this.#original.get(value) : undefined;
    return original && { value: original };
  }

  /** @returns whether it has changed the property */
  #cover(client: SeamClient): boolean {
    const { owner, name } = client;
    const under = Object.getOwnPropertyDescriptor(owner, name);
    if (under === undefined || this.#under(client) !== undefined) return false;
    if (!under.configurable) {
      if (!under.writable || !isClient(under.value)) return false;
      const value = this.#inPlaceOf(under.value, client);
      if (value === under.value) return false;
      defineProperty(owner, name, { value });
      return true;
    }
    const get = (): unknown => {
      const now: unknown = under.get === undefined ? under.value : under.get.call(owner);
      return isClient(now) ? this.#inPlaceOf(now, client) : now;
    };
    const set = (assigned: unknown): void => {
      const original = this.#original.get(assigned as object) ?? assigned;
      if (under.set !== undefined) under.set.call(owner, original);
      if (under.get !== undefined && under.get.call(owner) === original) return;
      // The getter of a spy does not end when a test assigns another client.
      delete under.get;
      delete under.set;
      Object.assign(under, { value: original, writable: true });
    };
    this.#covered.set(get, under);
    const { enumerable = true } = under;
    defineProperty(owner, name, { get, set, enumerable, configurable: true });
    return true;
  }

  /** Returns what stands in the place of a client: always the same. */
  #inPlaceOf(client: object, { watched }: SeamClient): object {
    const known = this.#watched.get(client) ?? watched(client as never);
    this.#watched.set(client, known);
    if (known !== client) this.#original.set(known, client);
    return known;
  }

  readonly #begin: BeginRequest = (method, url, body, send = this.#begin as () => unknown) => {
    const isWatched = !isOfTest() && !this.#contexts.isInside();
    const run = isWatched ? this.#current() : undefined;
    const target = this.#urlOf(url);
    if (run === undefined || target === undefined || !isOfApi(target)) return undefined;
    const { pathname, search } = target;
    const name = this.#nameOf(method, pathname);
    const { operations = [], isBatch = false } = graphQlRequest(target, body) ?? {};
    const call = run.sendFromClient({
      endpoint: [name, [...new Set(operations)].join(', ')].join(' ').trim(),
      method,
      url: pathname + search,
      origin: target.origin,
      sent: operations.length > 0 ? body : undefined,
      parts: isBatch ? operations.map((one) => `${name} ${one}`) : undefined,
      at: run.trial === undefined ? senderLineOf(send, run.file) : undefined,
    });
    return { run, call, within: this.#contexts.inside, host: this.#host };
  };

  /** Returns what a response passes that a test has made: in the run that reads it. */
  readonly #readingOf = (response: Response): Reading | undefined => {
    if (this.#contexts.isInside()) return undefined;
    return {
      receive: (text) => {
        const { url, status } = response;
        const target = url === '' ? undefined : this.#urlOf(url);
        const name = target ? this.#nameOf('', target.pathname).trim() : undefined;
        return this.#current()?.bodies.inPlaceOfMade(text, name, status) ?? text;
      },
      observe: (text, value) => this.#current()?.bodies.observe(text, value) ?? value,
    };
  };

  /** What code says on the console, also to a spy. */
  readonly #watchedLog = (log: (...values: unknown[]) => void): object =>
    new Proxy(log, {
      apply: (target, self, values: unknown[]) => {
        const text = values.map(errorText).join(' ').slice(0, maxLogged);
        if (!text.startsWith('[MSW]')) this.#current()?.evidence.logged.push(text);
        return Reflect.apply(target, self, values) as unknown;
      },
    });

  #urlOf(url: string): URL | undefined {
    const { location }: Partial<typeof globalThis> = this.#host;
    return parsedUrl(url, location?.href) ?? parsedUrl(url, 'http://localhost');
  }
}

/** Maximum length of what is known of a text of the console. */
const maxLogged = 200;

type Property = TypedPropertyDescriptor<unknown>;

function isClient(value: unknown): value is object {
  return typeof value === 'function' || isObject(value);
}

/** Whether a URL may be one of an API: not a module or blob of the page, and no control endpoint of Backlot. */
function isOfApi({ protocol, pathname }: URL): boolean {
  return /^https?:$/.test(protocol) && !pathname.includes('/_backlot/');
}
