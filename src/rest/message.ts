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

/** The answer without its body if the request is a HEAD. Its length is still known, for `Content-Length`. */
export function headless(request: Pick<ApiRequest, 'method'>, answer: ApiAnswer): ApiAnswer {
  if (request.method !== 'HEAD' || answer.body === undefined) return answer;
  const { body, ...rest } = answer;
  return { ...rest, bodyOfGet: body };
}

export const noticeHeader = 'x-backlot-notice';

const maxNames = 10;
const maxNameLength = 60;

/** Adds a notice of the parameters of the query that were ignored. */
export function withIgnored(answer: ApiAnswer, names: readonly string[]): ApiAnswer {
  if (names.length === 0) return answer;
  const shown = names.slice(0, maxNames).map(shownName).join(', ');
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  const notice = `Ignored unknown query parameters: ${shown}${more}.`;
  return withHeaders(answer, { [noticeHeader]: notice });
}

/** Adds headers to an answer. A notice that it has already follows the added one. */
export function withHeaders(answer: ApiAnswer, added: ApiAnswer['headers'] | undefined): ApiAnswer {
  if (added === undefined) return answer;
  const headers = { ...answer.headers, ...added };
  const { [noticeHeader]: notice } = answer.headers;
  const { [noticeHeader]: addedNotice } = added;
  if (notice !== undefined && addedNotice !== undefined) {
    headers[noticeHeader] = `${addedNotice} ${notice}`;
  }
  return { ...answer, headers };
}

/** A name may be any text; a header takes only some of ASCII. */
function shownName(name: string): string {
  return encodeURIComponent(name.replaceAll('(proto)', '__proto__')).slice(0, maxNameLength);
}
