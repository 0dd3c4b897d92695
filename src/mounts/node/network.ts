import { isObject } from '../../engine/lib/json-value.ts';
import { isPassthrough } from '../fetch/user-handlers.ts';
import { answerIntercepted, answerPreflight, readableByPage } from '../fetch/intercepted.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Listeners } from './listeners.ts';
import { loadMswServer, type MswServer } from './load-msw.ts';

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
    const handled = await this.#listeners.answerByHandlers(request);
    if (handled === undefined) return answerPreflight(request);
    return isPassthrough(handled) ? handled : readableByPage(request, handled);
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
  const http = process.getBuiltinModule('node:http');
  const https = process.getBuiltinModule('node:https');
  for (const { freeSockets } of [http.globalAgent, https.globalAgent]) {
    for (const socket of Object.values(freeSockets).flat()) socket?.destroy();
  }
}

/** A function in the place of the global `fetch`. */
interface ReplacedFetch {
  readonly fetch: typeof fetch;
  readonly before: typeof fetch;
  isOpen: boolean;
}

/**
 * Replaces the global `fetch`. Other clients are not affected.
 *
 * Each time with another function, which goes on to the one before: something else may wrap `fetch` meanwhile, and keep a
 * function that is closed.
 */
export class FetchInterception {
  readonly #listeners: Listeners;
  #replaced: readonly ReplacedFetch[] = [];

  constructor(listeners: Listeners) {
    this.#listeners = listeners;
  }

  open(): void {
    const before = globalThis.fetch;
    if (before === this.#replaced.at(-1)?.fetch) return;
    const replaced: ReplacedFetch = {
      before,
      isOpen: true,
      fetch: async (input, init) =>
        replaced.isOpen ? this.#fetch(new Request(input, init), before) : before(input, init),
    };
    this.#replaced = [...this.#replaced, replaced];
    globalThis.fetch = replaced.fetch;
  }

  /** Restores the original `fetch`, unless something else has replaced `fetch` since. */
  close(): void {
    for (const replaced of this.#replaced.toReversed()) {
      replaced.isOpen = false;
      if (globalThis.fetch === replaced.fetch) globalThis.fetch = replaced.before;
    }
    this.#replaced = [];
  }

  async #fetch(request: Request, before: typeof fetch): Promise<Response> {
    const handled = await this.#listeners.answerByHandlers(request);
    if (handled?.type === 'error') throw new TypeError('Failed to fetch');
    if (handled !== undefined && !isPassthrough(handled)) return handled;
    const owner = handled === undefined ? this.#listeners.ownerOf(request) : undefined;
    if (owner instanceof Error) throw owner;
    return owner === undefined ? before(request) : owner.fetch(request);
  }
}
