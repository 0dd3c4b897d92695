import http from 'node:http';
import https from 'node:https';

/** An interception of requests. `open` and `close` can be repeated. */
export interface Interception {
  open(): void;
  close(): void;
}

type Callable = (...values: unknown[]) => unknown;

/** A function or class that sends requests, and the object that has it. */
interface EntryPoint {
  readonly owner: object;
  readonly name: string;
}

/** What MSW replaces to know the client of a request. The connections of other clients pass through it. */
const entryPoints: readonly EntryPoint[] = [
  ...['request', 'get', 'ClientRequest'].map((name) => ({ owner: http, name })),
  ...['request', 'get'].map((name) => ({ owner: https, name })),
  ...['fetch', 'XMLHttpRequest', 'WebSocket'].map((name) => ({ owner: globalThis, name })),
];

/** An entry point while a back office listens. */
interface Hooked extends EntryPoint {
  readonly original: PropertyDescriptor;
  readonly hook: Callable;
  /** What the open interception has put in its place. */
  target?: Callable;
}

/**
 * Opens an interception when the first request is sent, because it is slow to load. Until then, its entry points are
 * hooks that open it, and call what it has put in their place.
 */
export class FirstUse implements Interception {
  readonly #interception: Interception;
  readonly #waits: () => boolean;
  readonly #answersFetch: () => boolean;
  #state: 'closed' | 'waiting' | 'open' = 'closed';
  #hooked: readonly Hooked[] = [];
  /** Whether a hook is calling. A hook that is reached by this call does not call the interception again. */
  #isCalling = false;

  /**
   * @param waits whether the interception waits for the first request, or opens at once
   * @param answersFetch whether the requests of the native `fetch` are answered without the interception
   */
  constructor(interception: Interception, waits: () => boolean, answersFetch: () => boolean) {
    this.#interception = interception;
    this.#waits = waits;
    this.#answersFetch = answersFetch;
  }

  open(): void {
    if (this.#state !== 'closed') return;
    this.#state = 'waiting';
    if (!this.#waits() || !entryPoints.every(isReplaceable)) return this.#start();
    this.#hooked = entryPoints.flatMap((entry) => this.#hook(entry) ?? []);
    for (const { owner, name, original, hook } of this.#hooked) {
      const { enumerable = true } = original;
      Object.defineProperty(owner, name, { ...replaceable, enumerable, value: hook });
    }
  }

  close(): void {
    const hooked = this.#hooked;
    const state = this.#state;
    this.#hooked = [];
    this.#state = 'closed';
    if (state === 'waiting') removeHooks(hooked);
    if (state === 'open') keepReplaced(hooked, () => this.#interception.close());
  }

  #start(): void {
    if (this.#state !== 'waiting') return;
    this.#state = 'open';
    keepReplaced(this.#hooked, () => {
      for (const { owner, name, original } of this.#hooked)
        Object.defineProperty(owner, name, original);
      this.#interception.open();
      for (const entry of this.#hooked) entry.target = valueOf(entry);
    });
  }

  #hook(entry: EntryPoint): Hooked | undefined {
    const original = Object.getOwnPropertyDescriptor(entry.owner, entry.name);
    if (original === undefined) return undefined;
    const native = valueOf(entry);
    const hook: Callable = new Proxy(native, {
      apply: (_, self, values: unknown[]) =>
        entry.name === 'fetch' && this.#isAnswered(values)
          ? Reflect.apply(native, self, [absolute(values[0]), ...values.slice(1)])
          : this.#call(entry, native, (target) => Reflect.apply(target, self, values)),
      construct: (_, values: unknown[], newTarget) =>
        this.#call(entry, native, (target) => {
          const constructed = newTarget === hook ? target : newTarget;
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

  #isAnswered([, init]: unknown[]): boolean {
    const hasDispatcher = typeof init === 'object' && init !== null && 'dispatcher' in init;
    return this.#state === 'waiting' && !hasDispatcher && this.#answersFetch();
  }
}

/** Whether an entry point can be replaced, or does not exist. */
function isReplaceable({ owner, name }: EntryPoint): boolean {
  return Object.getOwnPropertyDescriptor(owner, name)?.configurable !== false;
}

const replaceable = { configurable: true, writable: true };

function valueOf({ owner, name }: EntryPoint): Callable {
  return Reflect.get(owner, name) as Callable;
}

function removeHooks(hooked: readonly Hooked[]): void {
  keepReplaced(hooked, () => {
    for (const { owner, name, original } of hooked) Object.defineProperty(owner, name, original);
  });
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
}

/** Resolves a URL against that of the page, which jsdom and happy-dom have and the native `fetch` does not read. */
function absolute(input: unknown): unknown {
  const { location } = globalThis as { readonly location?: { readonly href: string } };
  const isRelative = typeof input === 'string' && location !== undefined && !URL.canParse(input);
  return isRelative ? new URL(input, location.href) : input;
}
