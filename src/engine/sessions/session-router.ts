import type { ApiResponse, RequestTarget } from '../rest/message.ts';

/** A session that a request needs, by its key in a store. */
export interface Needed {
  readonly name: string;
  /** Whether it is opened if the store does not have it. */
  readonly create: boolean;
  /** Whether the request is answered here if the session is nowhere, or the store cannot be reached. */
  readonly isOptional: boolean;
}

/** Keeps sessions in a store, which other servers may use, too. */
export interface SessionRouter {
  /** Whether this server is the owner of what a request needs, so that it can be answered at once. */
  isHere(target: RequestTarget): boolean;
  /**
   * Makes this server the owner.
   *
   * @returns undefined if the request can be answered now; else a response that says why not
   */
  locate(target: RequestTarget): Promise<ApiResponse | undefined>;
  /**
   * Notes what a request has changed. Called after each.
   *
   * @returns undefined if the response can be sent now; else a promise of another response, if there is one
   */
  settle(method: string, target: RequestTarget): Promise<ApiResponse | undefined> | undefined;
}
