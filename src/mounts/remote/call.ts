import { trimSlashes } from '../../engine/lib/api-path.ts';
import { jsonExcess, jsonLimits, parseForeignJson } from '../../engine/lib/json-limits.ts';
import { parseJson, valueAt } from '../../engine/lib/json-value.ts';
import { invalidFields, Problem, truncate, type ProblemKind } from '../../engine/lib/problem.ts';
import { readText } from '../../engine/lib/read-text.ts';
import { issuesIn } from '../../engine/rest/error-tree.ts';
import { statusOf } from '../../engine/rest/errors.ts';
import { sessionHeader } from '../../engine/sessions/request-target.ts';
import { withPage } from '../../engine/lib/error-page.ts';

/** The server of a back office, and its session there. */
export interface RemoteOptions {
  /** URL of the server, with its base path if it has one: `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Up to 64 letters, digits, dots, dashes and underscores. The session opens with its first request. */
  readonly session: string;
  /** Token of the control API, if the server requires one. */
  readonly token?: string | undefined;
}

/** Sends a request to the control API and returns the body of the response. */
export type Call = <Result>(method: string, path: string, body?: unknown) => Promise<Result>;

/** Returns a function that calls the control API. */
export function callerOf(options: RemoteOptions): Call {
  const { session, token } = options;
  const headers = {
    [sessionHeader]: session,
    'content-type': 'application/json',
    ...(token !== undefined && { 'x-backlot-token': token }),
  };
  return async <Result>(method: string, path: string, body?: unknown): Promise<Result> => {
    const url = urlOf(options, `/_backlot/${path}`);
    const sent = body === undefined ? null : JSON.stringify(body);
    const response = await fetch(url, { method, headers, body: sent }).catch((cause: unknown) => {
      throw noResponse(options.url, 'Is the server running?', cause);
    });
    const name = `The response to ${method} ${url}`;
    const text = await readText({ response, name }, jsonLimits.trace.bytes);
    if (!response.ok) throw problemOf(response.status, text, `${method} ${url}`);
    const result = text === '' ? undefined : parseForeignJson(text, name, jsonLimits.trace);
    // Who calls an endpoint knows what it returns.
    return result as Result;
  };
}

/** @param fix what to do about it */
export function noResponse(url: string, fix: string, cause: unknown): Error {
  return new Error(withPage('no-response', `No response from Backlot at ${url}. ${fix}`), {
    cause,
  });
}

export function urlOf({ url }: RemoteOptions, path: string): string {
  return `${trimSlashes(url)}${path}`;
}

export function withSession(init: RequestInit | undefined, session: string): RequestInit {
  const headers = new Headers(init?.headers);
  headers.set(sessionHeader, session);
  return { ...init, headers };
}

/** Returns the problem that a response reports, with the same message and issues. */
function problemOf(status: number, text: string, request: string): Error {
  const body = jsonExcess(text) === undefined ? parseJson(text) : undefined;
  const message = valueAt(body, ['message']);
  const errors = valueAt(body, ['errors']);
  if (typeof message !== 'string')
    return new Error(`${request} returned ${status}: ${truncate(text)}`);
  if (errors !== undefined) return invalidFields(issuesIn(errors));
  return new Problem(kindOf(status), message);
}

/** Status 400 without issues is most often a refusal. */
function kindOf(status: number): ProblemKind {
  if (status === statusOf.refused) return 'refused';
  return (
    Object.keys(statusOf)
      .filter(isKind)
      .find((kind) => statusOf[kind] === status) ?? 'fault'
  );
}

function isKind(name: string): name is ProblemKind {
  return Object.hasOwn(statusOf, name);
}
