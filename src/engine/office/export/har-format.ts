import type { TraceState } from '../trace/trace-format.ts';

/** A header, a parameter or a cookie. */
export interface HarPair {
  readonly name: string;
  readonly value: string;
}

/** A request and its response. */
export interface HarEntry {
  /** ISO 8601, by the clock of the back office, which may be frozen. */
  readonly startedDateTime: string;
  /** Real time in milliseconds, delays included. */
  readonly time: number;
  readonly request: HarMessage & {
    readonly method: string;
    readonly url: string;
    readonly queryString: readonly HarPair[];
    readonly postData?: { readonly mimeType: string; readonly text: string };
  };
  readonly response: HarMessage & {
    /** 0 if the connection was dropped. */
    readonly status: number;
    readonly statusText: string;
    readonly content: { readonly size: number; readonly mimeType: string; readonly text?: string };
    readonly redirectURL: string;
  };
  readonly cache: Readonly<Record<string, never>>;
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number };
  /** Id of the entry in the history. */
  readonly _id: number;
  readonly _outcome: string;
  /** The state of the response: `sent`, `held`, `client-left`. */
  readonly _state: string;
  readonly _reason?: string;
  /** When the request arrived, by the real clock; absent if that is not recorded. */
  readonly _received?: string;
  /** Ids of the faults that were applied. */
  readonly _faults?: readonly number[];
  /** Preferences that were applied. */
  readonly _prefer?: string;
  /** The changes of the request. */
  readonly _changes: readonly object[];
  /** What has changed the shop since the request before it; absent if nothing but requests and the clock has. */
  readonly _before?: HarBefore;
  readonly comment?: string;
}

/**
 * The state that a request met, as a trace has it: whole, for the first request, and after a reset or a restore; or the records that
 * have changed since the request before it.
 */
export type HarBefore =
  | { readonly state: TraceState }
  | { readonly tables: TraceState['changes']['tables'] };

interface HarMessage {
  readonly httpVersion: string;
  readonly cookies: readonly HarPair[];
  readonly headers: readonly HarPair[];
  /** -1: unknown. */
  readonly headersSize: number;
  /** In bytes; -1: unknown, because the body is not recorded. */
  readonly bodySize: number;
}

/** An HTTP archive of version 1.2: http://www.softwareishard.com/blog/har-12-spec/ */
export interface HarFile {
  readonly log: {
    readonly version: '1.2';
    readonly creator: { readonly name: string; readonly version: string };
    readonly entries: readonly HarEntry[];
    readonly comment: string;
  };
}
