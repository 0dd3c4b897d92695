import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import { baseUrlOf } from '../fetch.ts';
import type { MountedBackOffice } from '../mount.ts';
import { unhandled } from '../unhandled.ts';
import type { Interception } from './first-use.ts';
import type { Listeners } from './network.ts';
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
    const { request } = message as { readonly request: UndiciRequest };
    if (this.#isHandled()) return;
    const error = this.#listeners.refusalOf({ method: request.method, url: urlOf(request) });
    if (error === undefined) return;
    if (request.onResponseError !== undefined) request.onResponseError(error);
    else request.onError?.(error);
  };
}

// https://github.com/nodejs/undici/blob/main/docs/docs/api/DiagnosticsChannel.md
const created = 'undici:request:create';

type Dispatch = (options: DispatchOptions, handler: DispatchHandler) => boolean;
type Interceptor = (dispatch: Dispatch) => Dispatch;

/** A dispatcher of undici whose requests go to a back office. */
export class OfficeDispatcher extends EventEmitter {
  readonly #office: Pick<MountedBackOffice, 'fetch' | 'shop'>;
  readonly #baseUrl: string;

  constructor(office: Pick<MountedBackOffice, 'fetch' | 'shop'>, baseUrl: string) {
    super();
    this.#office = office;
    this.#baseUrl = baseUrl;
  }

  dispatch(options: DispatchOptions, handler: DispatchHandler): boolean {
    const url = urlOf(options);
    const isCovered = baseUrlOf(this.#baseUrl, this.#office.shop.api).covers(new URL(url));
    const refusal = isCovered
      ? undefined
      : unhandled(
          'error',
          { method: options.method, url },
          { baseUrl: this.#baseUrl, backOffice: this.#office },
        );
    void converse(url, options, handler, refusal ?? this.#office);
    return true;
  }

  /** Returns a dispatcher with interceptors of undici, the first of which is called last. */
  compose(...interceptors: (Interceptor | Interceptor[])[]): this {
    const dispatch = interceptors.flat().reduce<Dispatch>(
      (inner, interceptor) => interceptor(inner),
      (options, handler) => this.dispatch(options, handler),
    );
    return Object.assign(Object.create(this) as this, { dispatch });
  }

  /** Does nothing: there are no connections. */
  async close(): Promise<void> {}

  /** Does nothing: there are no connections. */
  async destroy(): Promise<void> {}
}
