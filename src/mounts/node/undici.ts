import { isUint8Array } from 'node:util/types';
import { isObject } from '../../engine/lib/json-value.ts';
import type { MountedBackOffice } from '../mount.ts';
import { isPassthrough } from '../fetch/user-handlers.ts';
import type { Listeners } from './listeners.ts';

/** The global symbols under which versions of undici store the default dispatcher. */
export const dispatcherKeys = [
  Symbol.for('undici.globalDispatcher.1'),
  Symbol.for('undici.globalDispatcher.2'),
];

/** Marks a dispatcher whose requests back offices answer, of whichever copy of this module. */
export const officeMark = Symbol.for('backlot.officeDispatcher');

/** The request options of undici. */
export interface DispatchOptions {
  readonly origin?: string | URL;
  readonly path: string;
  readonly method: string;
  readonly headers?: unknown;
  readonly body?: unknown;
}

/** The receiver of a response. undici 7 and later call the first five methods, earlier versions the others. */
export interface DispatchHandler {
  onRequestStart?(controller: Controller, context: object): void;
  onResponseStart?(
    controller: Controller,
    status: number,
    headers: Readonly<Record<string, string>>,
    statusText: string,
  ): void;
  onResponseData?(controller: Controller, chunk: Uint8Array): void;
  onResponseEnd?(controller: Controller, trailers: object): void;
  onResponseError?(controller: Controller, error: Error): void;
  onConnect?(abort: (reason?: Error) => void): void;
  onHeaders?(status: number, headers: Uint8Array[], resume: () => void, statusText: string): void;
  onData?(chunk: Uint8Array): void;
  onComplete?(trailers: Uint8Array[]): void;
  onError?(error: Error): void;
}

interface Controller {
  readonly aborted: boolean;
  readonly paused: boolean;
  readonly reason: Error | null;
  abort(reason: Error): void;
  pause(): void;
  resume(): void;
}

interface Dispatcher {
  readonly [officeMark]?: true;
  dispatch(options: DispatchOptions, handler: DispatchHandler): boolean;
}

/** Replaces undici's global dispatchers (`undici.request`, `undici.fetch`), which MSW does not intercept. */
export class UndiciInterception {
  readonly #listeners: Listeners;
  readonly #before = new Map<symbol, { ours: Dispatcher; theirs: Dispatcher }>();
  #isPassing = false;

  constructor(listeners: Listeners) {
    this.#listeners = listeners;
  }

  open(): void {
    // The native fetch loads undici, which then sets its default dispatcher.
    Reflect.get(globalThis, 'Response');
    for (const key of dispatcherKeys) {
      const theirs = read(key);
      if (theirs === undefined || this.#before.has(key)) continue;
      const dispatch: Dispatcher['dispatch'] = (options, handler) =>
        this.#dispatch(theirs, options, handler);
      const ours: Dispatcher = { dispatch, [officeMark]: true };
      Object.setPrototypeOf(ours, theirs);
      this.#before.set(key, { ours, theirs });
      Reflect.set(globalThis, key, ours);
    }
  }

  /** Whether a request that no back office covers is passing to the network at this moment. */
  get isPassing(): boolean {
    return this.#isPassing;
  }

  /** Whether it answers the native `fetch`: neither another dispatcher nor another realm is in its place. */
  get isCurrent(): boolean {
    const defined = dispatcherKeys.filter((key) => read(key) !== undefined);
    return defined.length > 0 && defined.every((key) => read(key) === this.#before.get(key)?.ours);
  }

  /** Returns the dispatcher that answers requests to a URL, if a back office covers it. */
  dispatcherFor(url: string): object | undefined {
    const [current] = this.#before.values();
    return this.#listeners.covers(new URL(url)) ? current?.ours : undefined;
  }

  close(): void {
    for (const [key, { ours, theirs }] of this.#before) {
      if (read(key) === ours) Reflect.set(globalThis, key, theirs);
    }
    this.#before.clear();
  }

  #dispatch(theirs: Dispatcher, options: DispatchOptions, handler: DispatchHandler): boolean {
    if (!this.#listeners.hasHandlers) return this.#dispatchToOwner(theirs, options, handler);
    void this.#dispatchToHandlers(theirs, options, handler);
    return true;
  }

  /** Sends a request to the handlers of the user, and on if none of them answers. */
  async #dispatchToHandlers(
    theirs: Dispatcher,
    options: DispatchOptions,
    handler: DispatchHandler,
  ): Promise<void> {
    const url = urlOf(options);
    // A stream can be read once only.
    const sent = { ...options, body: await bytesOf(options.body ?? null) };
    let handled: Response | undefined;
    try {
      handled = await this.#listeners.answerByHandlers(requestOf(url, sent));
    } catch (error) {
      return converse(url, sent, handler, asError(error));
    }
    if (handled === undefined) this.#dispatchToOwner(theirs, sent, handler);
    else if (isPassthrough(handled)) this.#pass(theirs, sent, handler);
    else {
      const { type } = handled;
      const fetch = () => Promise.resolve(handled);
      const answer = type === 'error' ? new TypeError('Failed to fetch') : { fetch };
      await converse(url, sent, handler, answer);
    }
  }

  #dispatchToOwner(
    theirs: Dispatcher,
    options: DispatchOptions,
    handler: DispatchHandler,
  ): boolean {
    const url = urlOf(options);
    const owner = this.#listeners.ownerOf({ method: options.method, url });
    if (owner === undefined) return this.#pass(theirs, options, handler);
    void converse(url, options, handler, owner);
    return true;
  }

  #pass(theirs: Dispatcher, options: DispatchOptions, handler: DispatchHandler): boolean {
    this.#isPassing = true;
    try {
      return theirs.dispatch(options, handler);
    } finally {
      this.#isPassing = false;
    }
  }
}

/** Returns the URL of a request of undici. */
export function urlOf({ origin, path }: Pick<DispatchOptions, 'origin' | 'path'>): string {
  return `${String(origin)}${path}`;
}

function read(key: symbol): Dispatcher | undefined {
  const found: unknown = Reflect.get(globalThis, key);
  return isDispatcher(found) ? found : undefined;
}

function isDispatcher(value: unknown): value is Dispatcher {
  return isObject(value) && typeof value['dispatch'] === 'function';
}

/** Sends a request to a back office, and its response to the handler. An error rejects the request. */
export async function converse(
  url: string,
  options: DispatchOptions,
  handler: DispatchHandler,
  owner: Pick<MountedBackOffice, 'fetch'> | Error,
): Promise<void> {
  const receiver = receiverOf(handler);
  try {
    receiver.start();
    if (owner instanceof Error) throw owner;
    const body = await bytesOf(options.body ?? null);
    const response = await owner.fetch(requestOf(url, { ...options, body }, receiver.signal));
    const bytes = Buffer.from(await response.arrayBuffer());
    receiver.answer(response, bytes);
  } catch (error) {
    receiver.fail(asError(error));
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new TypeError(String(error));
}

/** undici allows a stream without a length, which `Request` does not, so the stream is read first. */
function requestOf(
  url: string,
  { method, headers, body }: DispatchOptions & { readonly body: BodyInit | null },
  signal?: AbortSignal,
): Request {
  const hasBody = body !== null && method !== 'GET' && method !== 'HEAD';
  return new Request(url, {
    method,
    headers: headersOf(headers),
    ...(signal && { signal }),
    ...(hasBody && { body }),
  });
}

/** The `Response` of happy-dom does not read streams of Node.js, and that of Node.js takes 7 ms to read its first one. */
async function bytesOf(body: unknown): Promise<Uint8Array<ArrayBuffer> | null> {
  if (body === null) return null;
  if (isUint8Array(body)) return new Uint8Array(body);
  // undici takes what `Response` takes, and streams.
  if (!isStream(body)) return new Uint8Array(await new Response(body as BodyInit).arrayBuffer());
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

function isStream(value: unknown): value is AsyncIterable<Uint8Array> {
  return isObject(value) && Symbol.asyncIterator in value;
}

/** undici accepts an object, pairs, or a list of alternating names and values. */
function headersOf(sent: unknown): Headers {
  const headers = new Headers();
  const put = (name: unknown, value: unknown): void => {
    for (const one of [value].flat())
      // `append` makes texts of other values.
      if (one !== undefined) headers.append(String(name), one as string);
  };
  if (Array.isArray(sent) && !Array.isArray(sent[0])) {
    for (let at = 0; at < sent.length; at += 2) put(sent[at], sent[at + 1]);
  } else if (isIterable(sent)) {
    for (const [name, value] of sent) put(name, value);
  } else {
    for (const [name, value] of Object.entries(sent ?? {})) put(name, value);
  }
  return headers;
}

function isIterable(value: unknown): value is Iterable<readonly [unknown, unknown]> {
  return isObject(value) && Symbol.iterator in value;
}

interface Receiver {
  /** Aborts when the client does. */
  readonly signal: AbortSignal;
  start(): void;
  answer(response: Response, bytes: Buffer): void;
  fail(error: Error): void;
}

function receiverOf(handler: DispatchHandler): Receiver {
  return handler.onRequestStart === undefined ? olderReceiver(handler) : newerReceiver(handler);
}

function newerReceiver(handler: DispatchHandler): Receiver {
  const end = new AbortController();
  const { signal } = end;
  const controller: Controller = {
    get aborted() {
      return signal.aborted;
    },
    get reason() {
      return signal.aborted ? asError(signal.reason) : null;
    },
    paused: false,
    abort: (reason) => end.abort(reason),
    pause() {},
    resume() {},
  };
  return {
    signal,
    start: () => handler.onRequestStart?.(controller, {}),
    answer({ status, statusText, headers }, bytes) {
      signal.throwIfAborted();
      handler.onResponseStart?.(controller, status, Object.fromEntries(headers), statusText);
      handler.onResponseData?.(controller, bytes);
      handler.onResponseEnd?.(controller, {});
    },
    fail: (error) => handler.onResponseError?.(controller, error),
  };
}

function olderReceiver(handler: DispatchHandler): Receiver {
  const end = new AbortController();
  const { signal } = end;
  return {
    signal,
    start: () => handler.onConnect?.((reason) => end.abort(reason)),
    answer({ status, statusText, headers }, bytes) {
      signal.throwIfAborted();
      const raw = [...headers].flat().map((text) => Buffer.from(text));
      handler.onHeaders?.(status, raw, () => {}, statusText);
      handler.onData?.(bytes);
      handler.onComplete?.([]);
    },
    fail: (error) => handler.onError?.(error),
  };
}
