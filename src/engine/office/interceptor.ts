import type { ApiRequest, ApiResponse } from '../rest/message.ts';
import type { BackOffice } from './back-office.ts';

type Answer = (request: ApiRequest) => ApiResponse;

/** What an interceptor uses of a back office. */
export type ObservedOffice = Pick<
  BackOffice,
  'session' | 'shop' | 'history' | 'export' | 'requestUnobserved' | 'releaseAll'
>;

/** Stands between clients and the back offices of a process. */
export interface Interceptor {
  /** Returns the response to a request. @param next returns that of the back office */
  answer(office: ObservedOffice, request: ApiRequest, next: Answer): ApiResponse;
}

const symbol = Symbol.for('backlot.interceptor');
const ofTest = Symbol.for('backlot.of-test');

type Host = typeof globalThis & {
  [symbol]?: Interceptor | undefined;
  [ofTest]?: boolean | undefined;
};

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

/**
 * Runs a function that sends or answers a request of the test itself, as `office.fetch` does: nothing intercepts it.
 * Returns what the function returns.
 */
export function unintercepted<Result>(send: () => Result): Result {
  const before = host[ofTest];
  host[ofTest] = true;
  try {
    return send();
  } finally {
    host[ofTest] = before;
  }
}

/** Whether a request that is sent or answered at this moment is one of the test itself. */
export function isOfTest(): boolean {
  return host[ofTest] === true;
}

/** Marks a response to a request of the test itself, if something intercepts those of others. */
export function markResponseOfTest(response: Response): Response {
  return isIntercepted() ? Object.defineProperty(response, ofTest, { value: true }) : response;
}

export function isResponseOfTest(response: Response): boolean {
  return ofTest in response;
}

/** Returns a function that answers by the interceptor of the process, if there is one when a back office is opened. */
export function intercepted(office: () => BackOffice, answer: Answer): Answer {
  if (!isIntercepted()) return answer;
  return (request) =>
    (isOfTest() ? undefined : host[symbol]?.answer(office(), request, answer)) ?? answer(request);
}
