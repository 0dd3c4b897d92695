import type { ApiDefinition, ApiEndpoint } from '../definition/api.ts';
import type { ApiRequest, ApiResponse } from '../rest/message.ts';
import type { BackOffice } from './back-office.ts';
import { openBackOffice, type BackOfficeOptions } from './open-back-office.ts';

/** Creates a request of a method, a URL and a body. */
type CreateRequest = (method: string, url: string, body: object | undefined) => ApiRequest;

/** Opens a back office that answers examples, which name no token. */
export function openForExamples(
  api: ApiDefinition,
  report?: BackOfficeOptions['report'],
): BackOffice {
  return openBackOffice({ api: { ...api, authenticate() {} }, report });
}

/** Answers the example of an endpoint, after the requests that have to be sent before it, and undoes all of them. */
export function answerExample(
  office: BackOffice,
  { method, example: { url, body, before = [] } }: Pick<ApiEndpoint, 'method' | 'example'>,
  requestOf: CreateRequest,
): ApiResponse {
  if (before.length === 0) return office.dryRun(requestOf(method, url, body));
  const start = office.snapshot();
  for (const one of before) office.requestUnobserved(requestOf(one.method, one.url, one.body));
  const answer = office.dryRun(requestOf(method, url, body));
  office.restore(start);
  return answer;
}
