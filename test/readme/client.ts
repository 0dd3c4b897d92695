// client.ts
import {
  pathOf,
  type AnswerOf,
  type BodyOf,
  type EndpointName,
  type ErrorBody,
  type PathOf,
  type QueryOf,
} from 'backlot/client';

/** An error response: `error.body?.errors` has the issues of each parameter. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError';
  status = 0;
  body: ErrorBody | undefined;
}

/** The origin of the API. */
const shop = globalThis.location?.origin ?? 'http://127.0.0.1:4000';

/** Calls an endpoint by its name. @throws ResponseError for a response that is not OK */
export async function call<Name extends EndpointName>(
  name: Name,
  sent: { path: PathOf<Name>; query?: QueryOf<Name>; body?: BodyOf<Name> },
): Promise<AnswerOf<Name>> {
  const [method = 'GET'] = name.split(' ');
  const headers = { 'content-type': 'application/json' };
  const body = sent.body === undefined ? null : JSON.stringify(sent.body);
  const url = `${shop}${pathOf(name, sent.path, sent.query)}`;
  const response = await fetch(url, { method, headers, body });
  const answer = await response.json().catch(() => undefined);
  if (response.ok) return answer;
  const message = `${name}: ${response.status} ${answer?.message ?? response.statusText}`;
  throw Object.assign(new ResponseError(message), { status: response.status, body: answer });
}
