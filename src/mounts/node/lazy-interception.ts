import { syncBuiltinESMExports } from 'node:module';
import { isObject } from '../../engine/lib/json-value.ts';
import { parsedUrl } from '../../engine/lib/api-path.ts';

/** An interception of requests. `open` and `close` can be repeated. */
export interface Interception {
  open(): void;
  close(): void;
}

/** Answers the requests of the native `fetch`. */
interface NativeFetch {
  readonly isCurrent: boolean;
  /** Returns the dispatcher that answers requests to a URL, if there is one. */
  dispatcherFor(url: string): object | undefined;
}

type Callable = (...values: unknown[]) => unknown;

/** A function or class that sends requests, and the object that has it. */
interface EntryPoint {
  readonly owner: object;
  readonly name: string;
}

/**
 * Returns the functions that MSW replaces to know the client of a request. The connections of other clients pass through it.
 * An import of `node:http` would take a third of the time in which the package loads, because it loads undici.
 */
function entryPoints(): readonly EntryPoint[] {
  const http = process.getBuiltinModule('node:http');
  const https = process.getBuiltinModule('node:https');
  return [
    ...['request', 'get', 'ClientRequest'].map((name) => ({ owner: http, name })),
    ...['request', 'get'].map((name) => ({ owner: https, name })),
    ...['fetch', 'XMLHttpRequest', 'WebSocket'].map((name) => ({ owner: globalThis, name })),
  ];
}

/** An entry point while a back office listens. */
interface Hooked extends EntryPoint {
  readonly original: PropertyDescriptor;
  readonly hook: Callable;
  /** The replacement by the open interception. */
  target?: Callable | undefined;
}

/**
 * Opens an interception when the first request is sent, because it is slow to load. Until then, its entry points are
 * hooks that open it, and call what it has put in their place.
 */
export class LazyInterception implements Interception {
  readonly #interception: Interception;
  readonly #isLazy: () => boolean;
  readonly #native: NativeFetch;
  #state: 'closed' | 'hooked' | 'open' = 'closed';
  #hooked: readonly Hooked[] = [];
  /** Whether a hook is calling. A hook that is reached by this call does not call the interception again. */
  #isCalling = false;

  /**
   * @param isLazy whether the interception waits for the first request, or opens at once
   * @param native answers the requests of the native `fetch` without the interception
   */
  constructor(interception: Interception, isLazy: () => boolean, native: NativeFetch) {
    this.#interception = interception;
    this.#isLazy = isLazy;
    this.#native = native;
  }

  open(): void {
    if (this.#state !== 'closed') return;
    this.#state = 'hooked';
    const entries = entryPoints();
    if (!this.#isLazy() || !entries.every(isReplaceable)) return this.#start();
    this.#hooked = entries.flatMap((entry) => this.#hook(entry) ?? []);
    replace(this.#hooked);
  }

  close(): void {
    const hooked = this.#hooked;
    const state = this.#state;
    this.#hooked = [];
    this.#state = 'closed';
    if (state === 'hooked') keepReplaced(hooked, () => restore(hooked));
    if (state === 'open') keepReplaced(hooked, () => this.#interception.close());
  }

  #start(): void {
    if (this.#state !== 'hooked') return;
    this.#state = 'open';
    keepReplaced(this.#hooked, () => {
      restore(this.#hooked);
      try {
        this.#interception.open();
      } catch (error) {
        // Each further request fails, too: none reaches the network.
        replace(this.#hooked);
        this.#state = 'hooked';
        throw error;
      }
      for (const entry of this.#hooked) entry.target = valueOf(entry);
    });
  }

  #hook(entry: EntryPoint): Hooked | undefined {
    const original = Object.getOwnPropertyDescriptor(entry.owner, entry.name);
    const native = valueOf(entry);
    if (original === undefined || native === undefined) return undefined;
    const hook: Callable = new Proxy(native, {
      apply: (_, self, values: unknown[]) =>
        areOfFetch(entry, values) && this.#isAnswered(values)
          ? Reflect.apply(native, self, nativeArguments(values, this.#native))
          : this.#call(entry, native, (target) => Reflect.apply(target, self, values)),
      construct: (_, values: unknown[], newTarget) =>
        this.#call(entry, native, (target) => {
          const constructed = newTarget === hook ? target : newTarget;
          // Whatever is constructed is an object.
          return Reflect.construct(target, values, constructed) as object;
        }),
    });
    return { ...entry, original, hook };
  }

  /** Calls what the interception has put in place of an entry point, or the native one if the interception is closed. */
  #call<Result>(
    { owner, name }: EntryPoint,
    native: Callable,
    call: (target: Callable) => Result,
  ): Result {
    if (this.#state === 'closed' || this.#isCalling) return call(native);
    this.#start();
    const hooked = this.#hooked.find((other) => other.owner === owner && other.name === name);
    this.#isCalling = true;
    try {
      return call(hooked?.target ?? native);
    } finally {
      this.#isCalling = false;
    }
  }

  #isAnswered([, init]: Parameters<typeof fetch>): boolean {
    const hasDispatcher = isObject(init) && 'dispatcher' in init;
    // That of happy-dom is not native: it sends requests by `node:http`.
    const isNative = !('happyDOM' in globalThis) && this.#native.isCurrent;
    return this.#state === 'hooked' && !hasDispatcher && isNative;
  }
}

/** Whether an entry point can be replaced, or does not exist. */
function isReplaceable({ owner, name }: EntryPoint): boolean {
  return Object.getOwnPropertyDescriptor(owner, name)?.configurable !== false;
}

const replaceable = { configurable: true, writable: true };

function valueOf({ owner, name }: EntryPoint): Callable | undefined {
  const value: unknown = Reflect.get(owner, name);
  return isCallable(value) ? value : undefined;
}

function isCallable(value: unknown): value is Callable {
  return typeof value === 'function';
}

function areOfFetch({ name }: EntryPoint, values: unknown[]): values is Parameters<typeof fetch> {
  return name === 'fetch' && values.length > 0;
}

function replace(hooked: readonly Hooked[]): void {
  for (const { owner, name, original, hook } of hooked) {
    const { enumerable = true } = original;
    Object.defineProperty(owner, name, { ...replaceable, enumerable, value: hook });
  }
  // For `import { request } from 'node:http'`.
  syncBuiltinESMExports();
}

function restore(hooked: readonly Hooked[]): void {
  for (const { owner, name, original } of hooked) Object.defineProperty(owner, name, original);
}

/** Does work on entry points. Those that something else has replaced, such as a spy of a test, stay replaced. */
function keepReplaced(hooked: readonly Hooked[], work: () => void): void {
  const replaced = hooked.flatMap((entry) => {
    const { owner, name, hook, target } = entry;
    const value = valueOf(entry);
    const descriptor = Object.getOwnPropertyDescriptor(owner, name);
    return value === hook || value === target || descriptor === undefined
      ? []
      : [{ owner, name, descriptor }];
  });
  work();
  for (const { owner, name, descriptor } of replaced)
    Object.defineProperty(owner, name, descriptor);
  syncBuiltinESMExports();
}

/**
 * Returns the arguments of `fetch` as the native one reads them. A page, which jsdom and happy-dom have, resolves relative
 * URLs against its own, and its `Request` reads its own `FormData` and `Blob`.
 * A dispatcher inside a `Request`, which cannot be read, is replaced.
 */
function nativeArguments([input, init]: Parameters<typeof fetch>, native: NativeFetch): unknown[] {
  const { document, location }: Partial<typeof globalThis> = globalThis;
  if (typeof input === 'object' && input !== null && 'method' in input) {
    const dispatcher = native.dispatcherFor(input.url);
    return [input, dispatcher === undefined ? init : { ...init, dispatcher }];
  }
  const isRelative =
    typeof input === 'string' && location !== undefined && parsedUrl(input) === undefined;
  const url = isRelative ? new URL(input, location.href) : input;
  if (document === undefined || init === undefined) return [url, init];
  return [new Request(url, init)];
}
