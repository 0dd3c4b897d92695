import type { ApiRequest, ApiResponse } from '../rest/message.ts';
import type { BackOffice } from './back-office.ts';

type Answer = (request: ApiRequest) => ApiResponse;

/** Stands between clients and the back offices of a process. */
export interface Interceptor {
  /** Returns the response to a request. @param next returns that of the back office */
  answer(office: BackOffice, request: ApiRequest, next: Answer): ApiResponse;
}

const symbol = Symbol.for('backlot.interceptor');

type Host = typeof globalThis & { [symbol]?: Interceptor | undefined };

const host: Host = globalThis;

/**
 * Intercepts the requests to every back office that is opened from now on; undefined stops it. A property of the global
 * object, because a test file may load several copies of the library.
 *
 * @param of the global object of the tests
 */
export function intercept(interceptor: Interceptor | undefined, of: Host = globalThis): void {
  of[symbol] = interceptor;
}

/** Whether something stands between clients and the back offices that are opened from now on. */
export function isIntercepted(): boolean {
  return host[symbol] !== undefined;
}

/** Returns a function that answers by the interceptor of the process, if there is one when a back office is opened. */
export function intercepted(office: () => BackOffice, answer: Answer): Answer {
  if (!isIntercepted()) return answer;
  return (request) => host[symbol]?.answer(office(), request, answer) ?? answer(request);
}
