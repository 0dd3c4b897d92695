import * as z from 'zod';
import type { ServerResponse } from 'node:http';
import { createCheckAccess } from '../../mounts/server/access.ts';
import { hints } from '../../mounts/server/server.ts';
import { createDelayLimit } from '../../mounts/server/delay-limit.ts';
import {
  decodeRequest,
  hasBody,
  headersOf,
  readBytes,
  type DecodedRequest,
  type HttpRequest,
} from '../../mounts/server/body.ts';
import { closeAfterError, createSendWhenReady } from '../../mounts/server/send.ts';
import { endpoint, LongPolls, type ControlContext } from '../../engine/control/endpoint.ts';
import { journalEndpoints } from '../../engine/control/endpoints/journal.ts';
import { assertControlAllowed } from '../../engine/control/guard.ts';
import type { ExchangeMonitor } from '../drift/exchange-monitor.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import { Problem } from '../../engine/lib/problem.ts';
import { RestSettings } from '../../engine/rest/endpoint.ts';
import { problemResponse } from '../../engine/rest/errors.ts';
import {
  headless,
  type LongPoll,
  type ApiRequest,
  type ApiResponse,
} from '../../engine/rest/message.ts';
import { createApiRouter } from '../../engine/rest/router.ts';
import { parseTarget, serve } from '../../engine/rest/serve.ts';
import { reportToConsole } from '../../engine/office/open-back-office.ts';
import { storeApi } from '../../shop/store-api.ts';

const DriftView = z.strictObject({
  exchanges: z.int().describe('Number of exchanges that were checked'),
  findings: z.array(
    z.strictObject({
      side: z.enum(['request', 'response']),
      endpoint: z.string(),
      text: z.string(),
      times: z.int().describe('Number of exchanges with this difference'),
    }),
  ),
});

export interface ProxyControlOptions {
  /** Whether the proxy has a control API. */
  readonly control: boolean;
  /** The token that it requires. */
  readonly controlToken: string | undefined;
  /** Names of the proxy in addition to addresses and `localhost`. */
  readonly allowedHost: readonly string[];
  readonly corsOrigin: string | readonly string[];
}

interface Observed {
  readonly journal: Journal;
  readonly watch: ExchangeMonitor;
}

/** Answers requests to the control API of the proxy. */
export interface ProxyControl {
  /** Whether the proxy itself answers a URL; the others are the server's. */
  readonly covers: (url: string) => boolean;
  readonly answer: (request: HttpRequest, response: ServerResponse) => void;
}

/** Creates the control API of the proxy: the journal, and what the proxy has found. */
export function createProxyControl(
  { journal, watch }: Observed,
  options: ProxyControlOptions,
): ProxyControl {
  const { allowedHost: allowedHosts, corsOrigin } = options;
  const checkAccess = createCheckAccess({ allowedHosts, corsOrigin }, hints);
  const sendWhenReady = createSendWhenReady(createDelayLimit(Infinity, Infinity));
  const router = createApiRouter<ControlContext>([
    ...journalEndpoints(storeApi),
    ...driftEndpoints(watch),
  ]);
  const context = contextOf(journal);
  const settings = RestSettings.parse({});
  const respond = (request: ApiRequest): ApiResponse => {
    try {
      assertControlAllowed(options, request, parseTarget(request.url).path);
    } catch (error) {
      if (error instanceof Problem) return problemResponse(error);
      throw error;
    }
    return headless(request, serve(router, request, { ...host, settings, context }));
  };
  return {
    covers: (url) => options.control && own.test(parseTarget(url).path),
    answer(request, response) {
      const { method = '', url = '' } = request;
      const allowed = checkAccess(request, response, parseTarget(url), () => undefined);
      if (allowed === undefined) return;
      const headers = headersOf(request);
      const reply = (read: DecodedRequest | Promise<DecodedRequest>): void => {
        if (read instanceof Promise) {
          read.then(reply).catch((error: unknown) => closeAfterError(response, error));
          return;
        }
        sendWhenReady(response, respond({ method, url, ...read }), { headers: allowed });
      };
      const proceed = (error?: unknown): void => {
        if (error instanceof Problem) reply({ headers, unreadable: error });
        else reply(decodeRequest(request, headers));
      };
      if (hasBody(headers)) readBytes(request, { limit: settings.maxBodyBytes }, proceed);
      else proceed();
    },
  };
}

function contextOf(journal: Journal): ControlContext {
  const longPolls = new LongPolls();
  const context: object = {
    office: () => ({ journal }),
    longPoll: <Value>(poll: LongPoll<Value>) => longPolls.open(journal, poll),
  };
  // The endpoints of the journal use no other part of the context, nor of the back office in it.
  return context as ControlContext;
}

/** The paths that the proxy itself answers. */
const own = /^\/_backlot\/(journal|drift)(\/|$)/;

const host = {
  isQueryStrict: true as const,
  report: reportToConsole,
  transaction: <Result>(work: () => Result): Result => work(),
};

function driftEndpoints(watch: ExchangeMonitor) {
  const path = '/_backlot/drift';
  return [
    endpoint({
      method: 'GET',
      path,
      summary: 'List what the proxy has found',
      status: 200,
      answer: DriftView,
      errors: [],
      example: { url: path },
      handle: () => ({ exchanges: watch.exchanges, findings: [...watch.findings] }),
    }),
    endpoint({
      method: 'DELETE',
      path,
      summary: 'Clear what the proxy has found',
      status: 204,
      answer: undefined,
      errors: [],
      example: { url: path },
      handle: () => watch.clear(),
    }),
  ];
}
