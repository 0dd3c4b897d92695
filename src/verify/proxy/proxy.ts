import { createServer, type IncomingMessage, type Server as HttpServer } from 'node:http';
import { styleText } from 'node:util';
import { createCheckHost } from '../../mounts/server/host-names.ts';
import { hints, type HttpListener } from '../../mounts/server/server.ts';
import { matchRequest } from '../../engine/definition/match-request.ts';
import type { ObservedFinding, ExchangeMonitor } from '../drift/exchange-monitor.ts';
import { isBelow, namedPath } from '../../engine/lib/api-path.ts';
import { redactText } from '../../engine/journal/redaction.ts';
import { printable } from '../../engine/lib/printable.ts';
import { recordExchange } from '../../engine/office/open-back-office.ts';
import { parseTarget } from '../../engine/rest/serve.ts';
import type { HarRecording } from './har-recording.ts';
import { openProxyControl, type ProxyControlOptions } from './control.ts';
import { checkable, decodeExchange, parametersOf } from './exchange.ts';
import { basePathOf, createForward, pathAt, timeNow, type ForwardedExchange } from './forward.ts';

export interface ProxyOptions extends ProxyControlOptions {
  /** The server, without the path of its API. */
  readonly to: URL;
  /** Receives each request before it is forwarded. */
  readonly log?: HttpListener | undefined;
  /** Receives what passes. */
  readonly recording?: HarRecording | undefined;
  /** Receives a line for each finding, and for each request that could not be forwarded or checked. */
  readonly print: (line: string) => void;
}

/** The paths that the proxy itself answers. */
const own = /^\/_backlot\/(journal|drift)(\/|$)/;

/** Creates a server that forwards requests, checks them and their responses, and keeps a journal. */
export function createProxy(options: ProxyOptions, watch: ExchangeMonitor): HttpServer {
  const { to, api, apiPath = namedPath, log, print, recording } = options;
  const { office, server: control } = openProxyControl(watch, options);
  const checkHost = createCheckHost(options.allowedHost, hints.host);
  const observe = async (forwarded: ForwardedExchange): Promise<void> => {
    const ended = timeNow();
    const { request, response, started } = forwarded;
    const url = pathAt(to, request.url ?? '/').slice(basePathOf(to).length) || '/';
    const target = parseTarget(url);
    const isOfApi = isBelow(apiPath, target.path) || isBelow('/oauth', target.path);
    if (!isOfApi && recording === undefined) return;
    const exchange = await decodeExchange(forwarded, url);
    if (typeof exchange === 'string')
      return print(failureLine(`not checked: ${exchange}`, request));
    const checked = checkable(exchange, apiPath);
    const { row, params } = matchRequest(checked.request, { api });
    const href = `${to.origin}${pathAt(to, url)}`;
    recording?.add({ ...checked, href, started, ended }, row?.secret);
    if (!isOfApi) return;
    const sent = parametersOf(exchange.request);
    recordExchange(office, {
      request: exchange.request,
      routed: row && { request: exchange.request, target, row, params, sent },
      answer: exchange.response,
      state: response === undefined ? 'client-left' : 'sent',
      faults: [],
      script: [],
      prefer: undefined,
    });
    if (response === undefined) return;
    for (const finding of watch.observe(checked)) print(findingLine(finding));
  };
  const forward = createForward({
    to,
    onExchange: (exchange) => void observe(exchange).catch(report),
    onFailure: (reason, request) => print(failureLine(reason, request)),
  });
  return createServer((request, response) => {
    const isOwn = options.control && own.test(parseTarget(request.url ?? '').path);
    // A host that is not allowed is refused there.
    if (isOwn || checkHost(request.headers.host) !== undefined)
      control.emit('request', request, response);
    else {
      log?.(request, response);
      forward(request, response);
    }
  });
}

function report(fault: unknown): void {
  // oxlint-disable-next-line no-console -- a fault of the proxy itself
  console.error(fault);
}

/** Returns a finding as one line. */
export function findingLine({ side, endpoint, text }: ObservedFinding): string {
  const label = side === 'response' ? styleText('red', 'DRIFT  ') : styleText('yellow', 'REQUEST');
  return `${label} ${printable(`${endpoint}: ${text}`)}`;
}

function failureLine(reason: string, { method = '', url = '' }: IncomingMessage): string {
  return `${styleText('red', 'FAILED ')} ${printable(redactText(`${method} ${url}`))}: ${printable(reason)}`;
}
