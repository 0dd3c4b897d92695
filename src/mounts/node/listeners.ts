import { AsyncLocalStorage } from 'node:async_hooks';
import type { HttpHandler } from 'msw';
import { baseUrlOf, isOfServer, type BaseUrl } from '../fetch/fetch.ts';
import type { MountedBackOffice } from '../mount.ts';
import { answerByHandlers } from '../fetch/user-handlers.ts';
import {
  tooLate,
  unhandled,
  unreachable,
  type SentRequest,
  type UnhandledRequest,
} from './unhandled.ts';
import { isLocalServer } from './local-servers.ts';

/** A back office that listens, with its options. */
export interface Listener {
  readonly backOffice: MountedBackOffice;
  /** Sends requests of the code under test. */
  readonly fetch: MountedBackOffice['fetch'];
  readonly baseUrl: string;
  readonly onUnhandledRequest: UnhandledRequest;
  /** MSW handlers of the user, which run first. */
  readonly handlers: readonly HttpHandler[];
}

/** The listener of an asynchronous context, whichever group it is of. */
const scope = new AsyncLocalStorage<Listener>();

/** The listeners of all groups. */
const open = new Set<Listener>();

/**
 * Selects the back office for each request of this process.
 *
 * A request sent inside `within` goes to that listener only, and is rejected once its back office is closed. Every other
 * request goes to the latest listener whose base URL covers it.
 */
export class Listeners {
  readonly #all: Listener[] = [];

  get size(): number {
    return this.#all.length;
  }

  add(listener: Listener): void {
    this.#all.push(listener);
    open.add(listener);
  }

  remove(listener: Listener): void {
    open.delete(listener);
    const position = this.#all.indexOf(listener);
    if (position !== -1) this.#all.splice(position, 1);
  }

  /** Runs a function whose requests go to this listener. */
  within<Result>(listener: Listener, work: () => Result): Result {
    return scope.run(listener, work);
  }

  /** Sends all later requests of the current asynchronous context to this listener. */
  enter(listener: Listener): void {
    scope.enterWith(listener);
  }

  /**
   * Returns the listener for a request, an error to reject it with, or undefined to let it pass. A request to a server of
   * this process passes, unless a base URL names the origin of this server.
   */
  ownerOf(request: SentRequest): Listener | Error | undefined {
    const url = new URL(request.url);
    const owner = this.#covering(url);
    if (owner !== undefined) return open.has(owner) ? owner : tooLate(request);
    if (!isOfServer(url) || isLocalServer(url)) return undefined;
    const last = this.#candidates().at(-1);
    return last && unhandled(last.onUnhandledRequest, request, last);
  }

  /** Whether a listener of this asynchronous context has handlers of the user. */
  get hasHandlers(): boolean {
    return this.#candidates().some((one) => open.has(one) && one.handlers.length > 0);
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
    return isLocalServer(url) ? undefined : owner;
  }

  /** Returns an error to reject a request with that reaches the network without interception. */
  refusalOf(request: SentRequest): Error | undefined {
    const owner = this.ownerOf(request);
    if (owner === undefined || owner instanceof Error) return owner;
    return unreachable(owner.onUnhandledRequest, request);
  }

  #candidates(): readonly Listener[] {
    const scoped = scope.getStore();
    if (scoped === undefined) return this.#all;
    // A back office that was closed may listen again.
    return [[...open].find(({ backOffice }) => backOffice === scoped.backOffice) ?? scoped];
  }
}

function baseUrlFor({ baseUrl, backOffice }: Listener): BaseUrl {
  return baseUrlOf(baseUrl, backOffice.shop.api);
}
