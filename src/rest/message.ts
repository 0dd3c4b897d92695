import type { Problem } from '../lib/problem.ts';

/** Fields of a form body as a multipart parser gives them: name and value, in the order sent. */
export type FormEntries = readonly (readonly [name: string, value: string])[];

/** A request in plain values, so that any host can make one without a `Request`. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query string, `/api/users/?page=2`; an origin in front of it is passed over. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body as text; a `multipart/form-data` one as the entries that the host's own parser read. */
  readonly body?: string | FormEntries | undefined;
  /** Where it comes from, as far as the host knows: an address. */
  readonly client?: string | undefined;
  /** Why the host could not read the body: it was too large, or no good multipart. */
  readonly unreadable?: Problem | undefined;
}

export interface ApiAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text; none where the status has no body. */
  readonly body?: string;
  /** The answer to a HEAD has no body; this one is that of GET, whose length is its `Content-Length`. */
  readonly bodyOfGet?: string;
  /** How long it is kept waiting before it is sent, in milliseconds. */
  readonly delay?: number;
  /** Closed instead of answered; the status is 0 then. */
  readonly connection?: 'drop';
}

/** A header of every response: browsers take no response for a script or a page that its content type does not name. */
export const noSniff = { 'x-content-type-options': 'nosniff' };
