import { AsyncLocalStorage } from 'node:async_hooks';
import { baseUrlOf } from '../base-url.ts';
import type { MountedBackOffice } from '../mount.ts';
import { unhandled, type UnhandledRequest } from '../unhandled.ts';

/** One back office that listens, and how. */
export interface Listener {
  readonly backOffice: MountedBackOffice;
  readonly baseUrl: string;
  readonly onUnhandledRequest: UnhandledRequest;
}

/** A request as it is known before its body is read. */
export interface Sent {
  readonly method: string;
  readonly url: string;
}

/**
 * Who answers which request of this process. What is intercepted is global by nature, so this is, too.
 *
 * A request that was sent within `within` goes to that listener alone; any other to the listener that came last among
 * those whose base URL covers it.
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

  /** Runs the work so that its requests go to this listener. */
  within<Result>(listener: Listener, work: () => Result): Result {
    return this.#scope.run(listener, work);
  }

  /** From here on, requests of whoever called go to this listener. */
  enter(listener: Listener): void {
    this.#scope.enterWith(listener);
  }

  /** Who answers this request; an error where nobody does and it must not go on. */
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
