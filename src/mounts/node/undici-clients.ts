import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import { isObject, valueAt } from '../../engine/lib/json-value.ts';
import { baseUrlOf } from '../fetch/fetch.ts';
import type { MountedBackOffice } from '../mount.ts';
import { unhandled } from './unhandled.ts';
import type { Interception } from './lazy-interception.ts';
import type { Listeners } from './listeners.ts';
import { converse, urlOf, type DispatchHandler, type DispatchOptions } from './undici.ts';

/** A request of undici, as its diagnostics channels publish it. undici 8 has the first function, earlier versions the other. */
interface UndiciRequest {
  readonly origin: string | URL;
  readonly path: string;
  readonly method: string;
  onResponseError?(error: Error): void;
  onError?(error: Error): void;
}

/**
 * Watches undici clients that have their own connections: an `Agent`, `Pool` or `Client`. MSW does not intercept these, so
 * their requests are rejected before they are sent, as `onUnhandledRequest` says.
 */
export class UndiciClients implements Interception {
  readonly #listeners: Listeners;
  readonly #isHandled: () => boolean;
  #isOpen = false;

  /** @param isHandled whether the request that is being created has been let through, or is of an intercepted client */
  constructor(listeners: Listeners, isHandled: () => boolean) {
    this.#listeners = listeners;
    this.#isHandled = isHandled;
  }

  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    subscribe(created, this.#check);
  }

  close(): void {
    this.#isOpen = false;
    unsubscribe(created, this.#check);
  }

  readonly #check = (message: unknown): void => {
    const request = valueAt(message, ['request']);
    if (!isRequest(request) || this.#isHandled()) return;
    const error = this.#listeners.refusalOf({ method: request.method, url: urlOf(request) });
    if (error === undefined) return;
    if (request.onResponseError !== undefined) request.onResponseError(error);
    else request.onError?.(error);
  };
}

function isRequest(value: unknown): value is UndiciRequest {
  return isObject(value) && 'origin' in value && 'path' in value && 'method' in value;
}

// https://github.com/nodejs/undici/blob/main/docs/docs/api/DiagnosticsChannel.md
const created = 'undici:request:create';

type Dispatch = (options: DispatchOptions, handler: DispatchHandler) => boolean;
type Interceptor = (dispatch: Dispatch) => Dispatch;

/** Creates the dispatcher of a back office. It rejects URLs that the base URL does not cover. */
export function createDispatcher(
  backOffice: Pick<MountedBackOffice, 'fetch' | 'shop'>,
  baseUrl: string,
): OfficeDispatcher {
  const base = baseUrlOf(baseUrl, backOffice.shop.api);
  return new NodeDispatcher((options, handler) => {
    const url = urlOf(options);
    const refusal = base.covers(new URL(url))
      ? undefined
      : unhandled('error', { method: options.method, url }, { baseUrl, backOffice });
    void converse(url, options, handler, refusal ?? backOffice);
    return true;
  });
}

/** A dispatcher of undici whose requests go to a back office. */
export interface OfficeDispatcher {
  dispatch(options: DispatchOptions, handler: DispatchHandler): boolean;
  /** Returns a dispatcher with interceptors of undici, the first of which is called last. */
  compose(...interceptors: (Interceptor | Interceptor[])[]): OfficeDispatcher;
  /** Does nothing: there are no connections. */
  close(): Promise<void>;
  /** Does nothing: there are no connections. */
  destroy(): Promise<void>;
}

/** The dispatcher itself. The declarations of the package have no `EventEmitter`, because projects in a browser have no types of Node.js. */
class NodeDispatcher extends EventEmitter implements OfficeDispatcher {
  readonly #dispatch: Dispatch;

  constructor(dispatch: Dispatch) {
    super();
    this.#dispatch = dispatch;
  }

  dispatch(options: DispatchOptions, handler: DispatchHandler): boolean {
    return this.#dispatch(options, handler);
  }

  compose(...interceptors: (Interceptor | Interceptor[])[]): NodeDispatcher {
    const wrap = (inner: Dispatch, interceptor: Interceptor): Dispatch => interceptor(inner);
    return new NodeDispatcher(interceptors.flat().reduce(wrap, this.#dispatch));
  }

  async close(): Promise<void> {}

  async destroy(): Promise<void> {}
}
