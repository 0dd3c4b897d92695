import type { ApiResponse, RequestTarget } from '../rest/message.ts';

/** Keeps sessions in a store, which other servers may use, too. */
export interface SessionRouter {
  /**
   * Answers a request from the latest state of its session, and saves what it has changed first.
   *
   * @param perform performs the request on the sessions in memory. Called again if another server has changed the session
   * meanwhile
   */
  answer(target: RequestTarget, perform: () => ApiResponse): ApiResponse | Promise<ApiResponse>;
}
