import { Problem } from '../../engine/lib/problem.ts';
import type { BackOffice } from '../../engine/office/open-back-office.ts';
import { problemResponse } from '../../engine/rest/errors.ts';
import type { ApiRequest, ApiResponse } from '../../engine/rest/message.ts';
import { parseTarget } from '../../engine/rest/serve.ts';
import { ControlApi, type ControlOptions } from '../../engine/sessions/control-api.ts';
import { sessionless } from '../../engine/sessions/sessionless.ts';

const apis = new WeakMap<BackOffice, ControlApi>();

/**
 * Returns the control API of a back office without a server. It has no sessions. Browsers load it with the first request.
 *
 * @param url the path and query string of the request
 * @param basePath the path in front of every path, as the client sees it
 * @param rights of the client; those of the first call hold for the back office
 */
export function controlOf(
  backOffice: BackOffice,
  url: string,
  basePath: string,
  headers: ApiRequest['headers'],
  rights: Pick<ControlOptions, 'scenarios' | 'fixedStarts'> = {},
): Pick<BackOffice, 'answer'> & { readonly settings: { readonly maxBodyBytes: number } } {
  const api = apis.get(backOffice) ?? new ControlApi(backOffice, undefined, rights);
  apis.set(backOffice, api);
  const target = parseTarget(url);
  return {
    settings: { maxBodyBytes: api.maxBodyBytes(target.path, headers) },
    answer(request) {
      try {
        return api.answer({ ...request, basePath }, target, {
          choose: () => ({ office: backOffice }),
          begin: () => {
            throw sessionless();
          },
        });
      } catch (error) {
        if (error instanceof Problem) return problemResponse(error);
        throw error;
      }
    },
  };
}

/** Returns the response to a request that names a session: 400, because a 404 would look like one of the store. */
export function withoutSessions(): ApiResponse {
  return problemResponse(new Problem('malformed', sessionless().message));
}

/** Resolves with the response, or with the deferred one of a long poll. */
export async function settle(answer: ApiResponse, signal: AbortSignal): Promise<ApiResponse> {
  const { deferred } = answer;
  if (deferred === undefined) return answer;
  const end = new AbortController();
  const abort = (): void => end.abort();
  const timer = setTimeout(abort, deferred.timeout);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    return await deferred.answer(end.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
