import { AsyncLocalStorage } from 'node:async_hooks';
import { baseUrlOf } from '../base-url.ts';
import type { MountedBackOffice } from '../mount.ts';
import { unhandled, type UnhandledRequest } from '../unhandled.ts';

/** A back office that listens, with its options. */
export interface Listener {
  readonly backOffice: MountedBackOffice;
  readonly baseUrl: string;
  readonly onUnhandledRequest: UnhandledRequest;
}

/** A request before its body is read. */
export interface Sent {
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
  ownerOf(request: Sent): Listener | Error | undefined {
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
