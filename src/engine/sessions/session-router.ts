import type { ApiResponse, RequestTarget } from '../rest/message.ts';

/** A session that a request needs, by its key in a store. */
export interface Needed {
  readonly name: string;
  /** Whether it is opened if the store does not have it. */
  readonly create: boolean;
  /** Whether the request is answered here if the session is nowhere, or the store cannot be reached. */
  readonly isOptional: boolean;
}

/** Keeps sessions in a store, and finds the server that owns the session of a request. */
export interface SessionRouter<Exchange> {
  /** Whether this server is the owner of what a request needs, so that it can be answered at once. */
  isHere(target: RequestTarget): boolean;
  /**
   * Makes this server the owner, or has the owner answer.
   *
   * @returns undefined if the request can be answered here now; else the response, or `sent` if the owner has sent it
   */
  locate(target: RequestTarget, exchange: Exchange): Promise<ApiResponse | 'sent' | undefined>;
  /**
   * Notes what a request has changed. Called after each.
   *
   * @returns undefined if the response can be sent now; else a promise of another response, if there is one
   */
  settle(method: string, target: RequestTarget): Promise<ApiResponse | undefined> | undefined;
}
