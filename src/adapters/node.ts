import { createBackOffice as mount, type MountedBackOffice, type MountOptions } from './mount.ts';
import { givenFor, type Given } from '../given/given.ts';
import { FetchInterception } from './node/fetch.ts';
import { Listeners, type Listener } from './node/listeners.ts';
import { NetworkInterception } from './node/network.ts';
import { UndiciInterception } from './node/undici.ts';
import type { UnhandledRequest } from './unhandled.ts';

export type { Given, GivenOrder, GivenProduct } from '../given/given.ts';
export type { MountedBackOffice, MountOptions } from './mount.ts';
export type { UnhandledRequest } from './unhandled.ts';

/** How requests of this process are intercepted. */
export interface ListenOptions {
  /** What becomes of requests that are not for the back office: `error` if not given. */
  readonly onUnhandledRequest?: UnhandledRequest;
  /**
   * Whose requests are intercepted: those of `all` clients (`fetch`, `node:http`, axios, undici), or of the global
   * `fetch` alone, which is faster.
   */
  readonly clients?: 'all' | 'fetch';
}

/** A back office that can answer what the code under test sends over the network. */
export interface NodeBackOffice extends MountedBackOffice {
  /** Doors to arrange what a test starts from: `given.anOrder({ at: 'payment' })`. */
  readonly given: Given;
  /**
   * Answers the requests of this process from now on.
   *
   * @throws Error where it listens already
   */
  listen(options?: ListenOptions): void;
  /** Whether it answers the requests of this process. */
  listening(): boolean;
  /** Leaves the network as it was before `listen`; nothing where it does not listen. */
  close(): void;
  /** Runs the work so that its requests, and no others, come here: for tests that run at the same time. */
  within<Result>(work: () => Result): Result;
  /** The same from here on, in the function that calls it and whatever it awaits or starts. */
  enter(): void;
  [Symbol.dispose](): void;
}

/** Interceptions are of the whole process, so there is one of each. */
const network = makeLine((listeners) => [
  new NetworkInterception(listeners),
  new UndiciInterception(listeners),
]);
const fetchAlone = makeLine((listeners) => [new FetchInterception(listeners)]);

/**
 * Opens a back office of its own for a test suite.
 *
 * @throws Problem `missing` for a scenario that is not there, `invalid` with every mistake of one that is given
 */
export function createBackOffice(options: MountOptions = {}): NodeBackOffice {
  const mounted = mount(options);
  let open: { listener: Listener; line: Line } | undefined;
  const close = (): void => {
    open?.line.remove(open.listener);
    open = undefined;
  };
  return Object.assign(mounted, {
    given: givenFor(mounted),
    listen({ onUnhandledRequest = 'error', clients = 'all' }: ListenOptions = {}) {
      if (open !== undefined) throw new Error('Failed to listen: this back office listens already');
      const listener = { backOffice: mounted, baseUrl: options.baseUrl ?? '*', onUnhandledRequest };
      open = { listener, line: clients === 'all' ? network : fetchAlone };
      open.line.add(listener);
    },
    close,
    listening: () => open !== undefined,
    enter() {
      if (open === undefined) throw new Error(silent);
      open.line.listeners.enter(open.listener);
    },
    within<Result>(work: () => Result): Result {
      if (open === undefined) throw new Error(silent);
      return open.line.listeners.within(open.listener, work);
    },
    [Symbol.dispose]: close,
  });
}

const silent = 'Failed to send requests to a back office that does not listen: call listen() first';

/** Listeners that share their interceptions, which are there while anyone listens. */
interface Line {
  readonly listeners: Listeners;
  add(listener: Listener): void;
  remove(listener: Listener): void;
}

function makeLine(
  intercept: (listeners: Listeners) => readonly { open(): void; close(): void }[],
): Line {
  const listeners = new Listeners();
  const interceptions = intercept(listeners);
  return {
    listeners,
    add(listener) {
      listeners.add(listener);
      for (const interception of interceptions) interception.open();
    },
    remove(listener) {
      listeners.remove(listener);
      if (listeners.size > 0) return;
      for (const interception of interceptions) interception.close();
    },
  };
}
