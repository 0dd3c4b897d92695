import { corruptedText } from './fault-names.ts';
import type { ClientCall } from './sent-requests.ts';
import type { WatchedRun } from './watched-run.ts';

/** A request whose client is watched. */
export interface SeamRequest {
  readonly run: WatchedRun;
  readonly call: ClientCall;
  /** Runs what sends the request. Requests of what serves it, such as `fetch` of MSW, are a part of it. */
  readonly within: <Result>(send: () => Result) => Result;
  /** The global object of the client. */
  readonly host: typeof globalThis;
}

/**
 * Notes a request.
 *
 * @param body its text, by which operations of GraphQL are named
 * @param send what has been called to send it, if it can be named
 * @returns undefined for one that is not watched
 */
export type BeginRequest = (
  method: string,
  url: string,
  body?: string,
  send?: () => unknown,
) => SeamRequest | undefined;

/** Returns what the client of a request receives in the place of the text of its response. */
export function textFor({ run, call }: SeamRequest, status: number, text: string): string {
  const { fault } = call;
  return fault === 'malformed' || fault === 'cut off'
    ? corruptedText(text, fault)
    : run.receiveAtClient(call, status, text);
}

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

/** A function or class that sends requests, or an object that does, as the property of its owner. */
export interface SeamClient {
  readonly owner: object;
  readonly name: PropertyKey;
  /** Returns what takes the place of a client and watches its requests; the same client if nothing does. */
  readonly watched: (client: never) => object;
}
