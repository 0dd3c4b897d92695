import { globalAgent as httpAgent } from 'node:http';
import { globalAgent as httpsAgent } from 'node:https';
import { answerFetch, baseUrlOf } from '../fetch.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { MountedBackOffice } from '../mount.ts';
import { unhandled, type UnhandledRequest } from '../unhandled.ts';
import { loadMswServer, type MswServer } from './msw-server.ts';

/**
 * Intercepts `fetch`, `node:http` and the clients built on them, with MSW. All listeners share one MSW server, because a
 * second server would take the requests of the first.
 */
export class NetworkInterception {
  readonly #listeners: Listeners;
  #server: ReturnType<MswServer['setupServer']> | undefined;

  constructor(listeners: Listeners) {
    this.#listeners = listeners;
  }

  open(): void {
    if (this.#server !== undefined) return;
    const { http, passthrough, setupServer } = loadMswServer();
    const answer = http.all('*', ({ request }) => this.#answer(request) ?? passthrough());
    this.#server = setupServer(answer);
    this.#server.listen();
  }

  close(): void {
    if (this.#server === undefined) return;
    this.#server.close();
    this.#server = undefined;
    dropIdleSockets();
  }

  /** Returns undefined for a request that passes. */
  #answer(request: Request): Response | Promise<Response> | undefined {
    const owner = this.#listeners.ownerOf(request);
    if (owner === undefined) return undefined;
    if (!(owner instanceof Error)) return answerFetch(owner.backOffice, request, owner.baseUrl);
    // oxlint-disable-next-line no-console -- a network error carries no message to the client
    console.error(owner.message);
    return Response.error();
  }
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
    const owner = this.#listeners.ownerOf(request);
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
}

/** A request before its body is read. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
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

  /** Returns the listener for a request, an error to reject it with, or undefined to let it pass. */
  ownerOf(request: SentRequest): Listener | Error | undefined {
    const url = new URL(request.url);
    const candidates = this.#candidates();
    const owner = candidates.findLast(({ baseUrl }) => baseUrlOf(baseUrl).covers(url));
    if (owner !== undefined) return owner;
    const last = candidates.at(-1);
    return last && unhandled(last.onUnhandledRequest, request, last.baseUrl);
  }

  #candidates(): readonly Listener[] {
    const scoped = this.#scope.getStore();
    return scoped !== undefined && this.#all.includes(scoped) ? [scoped] : this.#all;
  }
}
