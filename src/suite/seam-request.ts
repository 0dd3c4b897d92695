import type { ClientCall, WatchedRun } from './watcher.ts';

/** A request whose client is watched. */
export interface SeamRequest {
  readonly run: WatchedRun;
  readonly call: ClientCall;
  /** Runs what sends the request. Requests of what serves it, such as `fetch` of MSW, are a part of it. */
  readonly within: <Result>(send: () => Result) => Result;
}

/** Notes a request. @returns undefined for one that is not watched */
export type BeginRequest = (method: string, url: string) => SeamRequest | undefined;
