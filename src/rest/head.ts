import type { ApiAnswer, ApiRequest } from './message.ts';

/** The answer without its body if the request is a HEAD. Its length is still known, for `Content-Length`. */
export function headless(request: Pick<ApiRequest, 'method'>, answer: ApiAnswer): ApiAnswer {
  if (request.method !== 'HEAD' || answer.body === undefined) return answer;
  const { body, ...rest } = answer;
  return { ...rest, bodyOfGet: body };
}
