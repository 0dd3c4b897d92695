import { Problem } from '../../engine/lib/problem.ts';
import type { Delivery } from '../../engine/rest/delivery.ts';
import { problemResponse } from '../../engine/rest/errors.ts';
import { withHeaders, type ApiResponse } from '../../engine/rest/message.ts';
import type { Server } from '../../engine/sessions/server.ts';
import { streamOf } from './event-response.ts';
import { wait } from './wait.ts';
import { toResponse } from './fetch.ts';
import { settle } from './office-control.ts';
import { createDelayLimit } from '../server/delay-limit.ts';

/** Creates the function that makes a `Response` of an answer, once it can be sent. */
export function createDeliver(server: Server, maxWaiting: number) {
  const countDelayed = createDelayLimit(maxWaiting, server.shareOf(maxWaiting));
  return async (
    answer: ApiResponse,
    {
      request,
      address,
      delivery,
    }: {
      readonly request: Request;
      readonly address: string | undefined;
      readonly delivery: Delivery;
    },
  ): Promise<Response> => {
    const { deferred, delay, events } = answer;
    if (deferred === undefined && delay === undefined && events === undefined) {
      return toResponse(answer);
    }
    let release: () => void;
    try {
      release = countDelayed(address);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const instead = problemResponse(error);
      delivery.end(instead);
      return toResponse(withHeaders(instead, allowedIn(answer)));
    }
    if (events !== undefined) return streamOf(answer, events, { request, release });
    try {
      const settled = await settle(answer, request.signal);
      if (settled.delay !== undefined) await wait(settled.delay, request.signal);
      if (request.signal.aborted) delivery.leave();
      else delivery.end();
      return toResponse(withHeaders(settled, allowedIn(answer)));
    } finally {
      release();
    }
  };
}

/** Returns the CORS headers of a response, which the deferred one has not. */
function allowedIn({ headers }: ApiResponse): ApiResponse['headers'] {
  const entries = Object.entries(headers);
  return Object.fromEntries(
    entries.filter(([name]) => name === 'vary' || name.startsWith('access-control-')),
  );
}
