import { globalAgent as httpAgent } from 'node:http';
import { globalAgent as httpsAgent } from 'node:https';
import type { HttpHandler } from 'msw';
import { isObject } from '../../engine/lib/json-value.ts';
import { baseUrlOf, isOfServer, type BaseUrl } from '../fetch.ts';
import { answerByHandlers, isPassthrough } from '../own-handlers.ts';
import { answerIntercepted, answerPreflight, readableByPage } from '../intercepted.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { MountedBackOffice } from '../mount.ts';
import { unhandled, unreachable, type SentRequest, type UnhandledRequest } from '../unhandled.ts';
import { loadMswServer, type MswServer } from './load-msw.ts';
import { isOwnServer } from './own-servers.ts';

/**
 * Intercepts `fetch`, `node:http` and the clients built on them, with MSW. All listeners share one MSW server, because a
 * second server would take the requests of the first.
 */
export class NetworkInterception {
  readonly #listeners: Listeners;
  /** Set while a client that MSW intercepts is sending a request. */
  readonly #sending = new AsyncLocalStorage<{ reason?: Error }>();
  #server: ReturnType<MswServer['setupServer']> | undefined;
  #restore: readonly (() => void)[] = [];

  constructor(listeners: Listeners) {
    this.#listeners = listeners;
  }

  open(): void {
    if (this.#server !== undefined) return;
    const { http, passthrough, setupServer } = loadMswServer();
    const answer = http.all(
      '*',
      async ({ request }) =>
        (await this.#answerByHandlers(request)) ?? this.#answer(request) ?? passthrough(),
    );
    const server = setupServer(answer);
    if (!(server instanceof Object)) throw new Error(ofOtherContext);
    server.listen();
    this.#server = server;
    this.#restore = [this.#wrapFetch(), this.#wrapXMLHttpRequest()];
  }

  close(): void {
    if (this.#server === undefined) return;
    for (const restore of this.#restore) restore();
    this.#server.close();
    this.#server = undefined;
    dropIdleSockets();
  }

  async #answerByHandlers(request: Request): Promise<Response | undefined> {
    if (!this.#listeners.hasHandlers) return undefined;
    const own = await this.#listeners.answerByHandlers(request);
    if (own === undefined) return answerPreflight(request);
    return isPassthrough(own) ? own : readableByPage(request, own);
  }

  /** Returns undefined for a request that passes. */
  #answer(request: Request): Response | Promise<Response> | undefined {
    const owner = this.#listeners.ownerOf(request);
    if (owner === undefined) return undefined;
    if (!(owner instanceof Error))
      return answerIntercepted(owner.backOffice, request, owner.baseUrl);
    // oxlint-disable-next-line no-console -- a network error carries no message to the client
    console.error(owner.message);
    const sent = this.#sending.getStore();
    if (sent !== undefined) sent.reason = owner;
    return Response.error();
  }

  /** Whether a client that MSW intercepts is sending a request, with undici below it. */
  get isSending(): boolean {
    return this.#sending.getStore() !== undefined;
  }

  /** Adds the reason of a rejection to the network error, as its cause. */
  #wrapFetch(): () => void {
    const mocked = globalThis.fetch;
    const wrapped = new Proxy(mocked, {
      apply: (target, self, values: Parameters<typeof fetch>) => {
        const sent: { reason?: Error } = {};
        return this.#sending.run(sent, () =>
          Reflect.apply(target, self, values).catch((error: unknown) => {
            // It may be of another context of `node:vm`, in which it is no instance of `Error`.
            if (isObject(error) && sent.reason !== undefined)
              Object.assign(error, { cause: sent.reason });
            throw error;
          }),
        );
      },
    });
    replaceFetch(wrapped);
    return () => {
      if (globalThis.fetch === wrapped) replaceFetch(mocked);
    };
  }

  /** jsdom sends its requests with undici. */
  #wrapXMLHttpRequest(): () => void {
    const { XMLHttpRequest: Client }: Partial<typeof globalThis> = globalThis;
    if (Client === undefined) return () => {};
    const { prototype } = Client;
    // oxlint-disable-next-line typescript/unbound-method -- called with the receiver of `wrapped`
    const { send } = prototype;
    const sending = this.#sending;
    const wrapped: typeof send = function wrapped(this: XMLHttpRequest, body) {
      sending.run({}, () => send.call(this, body));
    };
    prototype.send = wrapped;
    return () => {
      if (prototype.send === wrapped) prototype.send = send;
    };
  }
}

const ofOtherContext =
  'Failed to intercept requests: MSW was loaded in another context of node:vm, and would replace the fetch of that context.';

/** MSW may leave `fetch` without `writable`. */
function replaceFetch(value: typeof fetch): void {
  Object.defineProperty(globalThis, 'fetch', { value, configurable: true, writable: true });
}

/** Closes the intercepted keep-alive sockets, which have no peer any more. */
function dropIdleSockets(): void {
  for (const { freeSockets } of [httpAgent, httpsAgent]) {
    for (const socket of Object.values(freeSockets).flat()) socket?.destroy();
  }
}

/** Replaces the global `fetch`. Other clients are not affected. */
export class FetchInterception {
  readonly #listeners: Listeners;
  #before: typeof fetch | undefined;

  constructor(listeners: Listeners) {
    this.#listeners = listeners;
  }

  open(): void {
    if (globalThis.fetch === this.#fetch) return;
    this.#before = globalThis.fetch;
    globalThis.fetch = this.#fetch;
  }

  /** Restores the original `fetch`, unless something else has replaced `fetch` since. */
  close(): void {
    if (globalThis.fetch === this.#fetch && this.#before !== undefined)
      globalThis.fetch = this.#before;
  }

  readonly #fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const own = await this.#listeners.answerByHandlers(request);
    if (own?.type === 'error') throw new TypeError('Failed to fetch');
    if (own !== undefined && !isPassthrough(own)) return own;
    const owner = own === undefined ? this.#listeners.ownerOf(request) : undefined;
    if (owner instanceof Error) throw owner;
    return owner === undefined
      ? (this.#before ?? globalThis.fetch)(request)
      : owner.backOffice.fetch(request);
  };
}

/** A back office that listens, with its options. */
export interface Listener {
  readonly backOffice: MountedBackOffice;
  readonly baseUrl: string;
  readonly onUnhandledRequest: UnhandledRequest;
  /** MSW handlers of the user, which run first. */
  readonly handlers: readonly HttpHandler[];
}

/**
 * Selects the back office for each request of this process.
 *
 * A request sent inside `within` goes to that listener only. Every other request goes to the latest listener whose base
 * URL covers it.
 */
export class Listeners {
  readonly #all: Listener[] = [];
  readonly #scope = new AsyncLocalStorage<Listener>();

  get size(): number {
    return this.#all.length;
  }

  add(listener: Listener): void {
    this.#all.push(listener);
  }

  remove(listener: Listener): void {
    const position = this.#all.indexOf(listener);
    if (position !== -1) this.#all.splice(position, 1);
  }

  /** Runs a function whose requests go to this listener. */
  within<Result>(listener: Listener, work: () => Result): Result {
    return this.#scope.run(listener, work);
  }

  /** Sends all later requests of the current asynchronous context to this listener. */
  enter(listener: Listener): void {
    this.#scope.enterWith(listener);
  }

  /**
   * Returns the listener for a request, an error to reject it with, or undefined to let it pass. A request to a server of
   * this process passes, unless a base URL names the origin of this server.
   */
  ownerOf(request: SentRequest): Listener | Error | undefined {
    const url = new URL(request.url);
    const owner = this.#covering(url);
    if (owner !== undefined || !isOfServer(url) || isOwnServer(url)) return owner;
    const last = this.#candidates().at(-1);
    return last && unhandled(last.onUnhandledRequest, request, last);
  }

  /** Whether a listener of this asynchronous context has handlers of the user. */
  get hasHandlers(): boolean {
    return this.#candidates().some(({ handlers }) => handlers.length > 0);
  }

  /** Returns the response of the handlers of the user, those of the latest listener first, if one of them answers. */
  async answerByHandlers(request: Request): Promise<Response | undefined> {
    if (!this.hasHandlers || !isOfServer(new URL(request.url))) return undefined;
    const handlers = this.#candidates().toReversed();
    return answerByHandlers(
      handlers.flatMap((listener) => listener.handlers),
      request,
    );
  }

  /** Whether a back office answers requests to a URL. */
  covers(url: URL): boolean {
    return this.#covering(url) !== undefined;
  }

  #covering(url: URL): Listener | undefined {
    const owner = this.#candidates().findLast((one) => baseUrlFor(one).covers(url));
    if (owner === undefined || baseUrlFor(owner).hasOrigin) return owner;
    return isOwnServer(url) ? undefined : owner;
  }

  /** Returns an error to reject a request with that reaches the network without interception. */
  refusalOf(request: SentRequest): Error | undefined {
    const owner = this.ownerOf(request);
    if (owner === undefined || owner instanceof Error) return owner;
    return unreachable(owner.onUnhandledRequest, request);
  }

  #candidates(): readonly Listener[] {
    const scoped = this.#scope.getStore();
    return scoped !== undefined && this.#all.includes(scoped) ? [scoped] : this.#all;
  }
}

function baseUrlFor({ baseUrl, backOffice }: Listener): BaseUrl {
  return baseUrlOf(baseUrl, backOffice.shop.api);
}
