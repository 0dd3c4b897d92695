import type { ClientCall, WatchedRun } from './watcher.ts';

/** A request whose client is watched. */
export interface SeamRequest {
  readonly run: WatchedRun;
  readonly call: ClientCall;
  /** Runs what sends the request. Requests of what serves it, such as `fetch` of MSW, are a part of it. */
  readonly within: <Result>(send: () => Result) => Result;
  /** The global object of the client. */
  readonly host: typeof globalThis;
}

/** Notes a request. @returns undefined for one that is not watched */
export type BeginRequest = (method: string, url: string) => SeamRequest | undefined;

/** Runs work in an asynchronous context. */
export type Context = <Result>(work: () => Result) => Result;

/** The asynchronous contexts of a request. */
export interface SeamContexts {
  /** Whether the running code serves a request that is watched. */
  readonly isInside: () => boolean;
  /** Runs what sends a request. */
  readonly inside: Context;
  /** Returns what runs work in the context of now. */
  readonly snapshot: () => Context;
}

/** Those of a page, where a service worker serves requests: no code of the page does. */
export const pageContexts: SeamContexts = {
  isInside: () => false,
  inside: (send) => send(),
  snapshot: () => (work) => work(),
};
