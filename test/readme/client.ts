// client.ts
import { pathOf, type Call, type ErrorBody } from 'backlot/client';

export class ResponseError extends Error {
  override readonly name = 'ResponseError';
  status = 0;
  body: ErrorBody | undefined; // its `errors` has the issues of each parameter
}

/** Calls an endpoint by its name. @throws ResponseError for a response that is not OK */
export const call: Call = async (name, { path, query, body }) => {
  const [method = 'GET'] = name.split(' ');
  const url = `${globalThis.location?.origin ?? 'http://127.0.0.1:4000'}${pathOf(name, path, query)}`;
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  const answer = await response.json().catch(() => undefined);
  if (response.ok) return answer;
  const message = `${name}: ${response.status} ${answer?.message ?? response.statusText}`;
  throw Object.assign(new ResponseError(message), { status: response.status, body: answer });
};
