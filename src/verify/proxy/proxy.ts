import { createServer, type IncomingMessage, type Server as HttpServer } from 'node:http';
import { styleText } from 'node:util';
import { createCheckHost } from '../../mounts/server/host-names.ts';
import { hints, type HttpListener } from '../../mounts/server/server.ts';
import { noHeaders, send } from '../../mounts/server/send.ts';
import { matchRequest, type Exchange } from '../drift/exchange.ts';
import type { ObservedFinding, ExchangeMonitor } from '../drift/exchange-monitor.ts';
import { storeApi } from '../../shop/store-api.ts';
import type { ApiDefinition } from '../../engine/definition/api.ts';
import { isBelow, namedPath, nameOf } from '../../engine/lib/api-path.ts';
import { Journal } from '../../engine/journal/journal.ts';
import { redactText } from '../../engine/journal/redaction.ts';
import { printable } from '../../engine/lib/printable.ts';
import { toTimestamp } from '../../engine/lib/duration.ts';
import { problemResponse } from '../../engine/rest/errors.ts';
import { parseTarget } from '../../engine/rest/serve.ts';
import type { HarRecording } from './har-recording.ts';
import { createProxyControl, type ProxyControlOptions } from './control.ts';
import {
  checkable,
  decodeExchange,
  decodeSent,
  parametersOf,
  type DecodedExchange,
} from './exchange.ts';
import {
  basePathOf,
  createForward,
  pathAt,
  timeNow,
  type ForwardedExchange,
  type UnsentExchange,
} from './forward.ts';

export interface ProxyOptions extends ProxyControlOptions {
  /** The server, without the path of its API. */
  readonly to: URL;
  /** The API that it has (default: that of the store). */
  readonly api?: ApiDefinition | undefined;
  /** The path of its API (default: `/api`). */
  readonly apiPath?: string | undefined;
  /** Receives each request before it is forwarded. */
  readonly log?: HttpListener | undefined;
  /** Receives what passes. */
  readonly recording?: HarRecording | undefined;
  /** Receives a line for each finding, and for each request that could not be forwarded or checked. */
  readonly print: (line: string) => void;
}

/** Creates a server that forwards requests, checks them and their responses, and keeps a journal. */
export function createProxy(options: ProxyOptions, watch: ExchangeMonitor): HttpServer {
  const { to, api = storeApi, apiPath = namedPath, log, print, recording } = options;
  const prefix = basePathOf(to);
  const journal = createJournal({ ...api, path: apiPath });
  const control = createProxyControl({ journal, watch }, options);
  const checkHost = createCheckHost(options.allowedHost, hints.host);
  const pathOf = (request: IncomingMessage): string =>
    pathAt(to, request.url ?? '/').slice(prefix.length) || '/';
  const urlOf = (request: IncomingMessage): string | undefined => {
    const url = pathOf(request);
    const { path } = parseTarget(url);
    return isBelow(apiPath, path) || isBelow('/oauth', path) ? url : undefined;
  };
  const save = (exchange: DecodedExchange, started: number, ended: number): void => {
    const href = `${to.origin}${pathAt(to, exchange.request.url)}`;
    const { row } = matchRequest(named(checkable(exchange), apiPath).request, { api });
    recording?.add({ ...exchange, href, started, ended }, row?.secret);
  };
  const observeLeft = async (unsent: UnsentExchange): Promise<void> => {
    const ended = timeNow();
    const url = urlOf(unsent.request);
    const request = await decodeSent(unsent, url ?? pathOf(unsent.request));
    if (typeof request !== 'object') return;
    const exchange = { request, response: { status: 0, headers: {}, body: '' } };
    save(exchange, unsent.started, ended);
    if (url === undefined) return;
    record(journal, exchange, named(checkable(exchange), apiPath), api, 'client-left');
  };
  const observe = async (forwarded: ForwardedExchange): Promise<void> => {
    const ended = timeNow();
    const { request } = forwarded;
    const url = urlOf(request);
    if (url === undefined && recording === undefined) return;
    const exchange = await decodeExchange(forwarded, url ?? pathOf(request));
    if (typeof exchange === 'string') {
      print(failureLine(`not checked: ${exchange}`, request));
      return;
    }
    save(exchange, forwarded.started, ended);
    if (url === undefined) return;
    const checked = named(checkable(exchange), apiPath);
    record(journal, exchange, checked, api, 'sent');
    for (const finding of watch.observe(checked)) print(findingLine(finding));
  };
  const forward = createForward({
    to,
    onExchange: (exchange) => void observe(exchange).catch(report),
    onLeft: (unsent) => void observeLeft(unsent).catch(report),
    onFailure: (reason, request) => print(failureLine(reason, request)),
  });
  return createServer((request, response) => {
    const wrongHost = checkHost(request.headers.host);
    if (wrongHost !== undefined) send(response, problemResponse(wrongHost), noHeaders);
    else if (control.covers(request.url ?? '')) control.answer(request, response);
    else {
      log?.(request, response);
      forward(request, response);
    }
  });
}

function createJournal(api: ApiDefinition): Journal {
  const clock = { now: () => toTimestamp(new Date()) };
  const budget = 16 * 1_048_576;
  return new Journal(
    { api, clock, settings: { journalSize: 1000 } },
    { session: undefined, budget },
  );
}

function report(fault: unknown): void {
  // oxlint-disable-next-line no-console -- a fault of the proxy itself
  console.error(fault);
}

/** Returns an exchange with the URL that the contract has for it. */
function named({ request, response }: Exchange, apiPath: string): Exchange {
  const url = isBelow('/oauth', request.url) ? request.url : nameOf(apiPath, request.url);
  return { request: { ...request, url }, response };
}

function record(
  journal: Journal,
  exchange: DecodedExchange,
  checked: Exchange,
  api: ApiDefinition,
  state: 'sent' | 'client-left',
): void {
  const { request, response } = exchange;
  const { row, params } = matchRequest(checked.request, { api });
  const target = parseTarget(request.url);
  const routed =
    row === undefined ? undefined : { request, target, row, params, sent: parametersOf(request) };
  journal.record({
    request,
    routed,
    answer: response,
    state,
    faults: [],
    script: [],
    prefer: undefined,
  });
}

/** Returns a finding as one line. */
export function findingLine({ side, endpoint, text }: ObservedFinding): string {
  const label = side === 'response' ? styleText('red', 'DRIFT  ') : styleText('yellow', 'REQUEST');
  return `${label} ${printable(`${endpoint}: ${text}`)}`;
}

function failureLine(reason: string, { method = '', url = '' }: IncomingMessage): string {
  return `${styleText('red', 'FAILED ')} ${printable(redactText(`${method} ${url}`))}: ${printable(reason)}`;
}
