import { createServer, type IncomingMessage, type Server as HttpServer } from 'node:http';
import { styleText } from 'node:util';
import { createCheckHost, isHostName } from '../../mounts/host-names.ts';
import { hints } from '../../mounts/http/server.ts';
import { noHeaders, send } from '../../mounts/http/send.ts';
import { placeOf } from '../../engine/drift/client.ts';
import { matchRequest, type Exchange } from '../../engine/drift/exchange.ts';
import { Watch, type ObservedFinding } from '../../engine/drift/watch.ts';
import { storeApi } from '../../shop/store-api.ts';
import type { ApiDefinition } from '../../engine/definition/api.ts';
import { atPath } from '../../engine/definition/at-path.ts';
import { isBelow, namedPath, nameOf } from '../../engine/lib/api-path.ts';
import { Journal } from '../../engine/journal/journal.ts';
import { redactText } from '../../engine/journal/redaction.ts';
import { printable } from '../../engine/lib/printable.ts';
import { formatCount } from '../../engine/lib/problem.ts';
import { toTimestamp } from '../../engine/lib/duration.ts';
import { problemResponse } from '../../engine/rest/errors.ts';
import { parseTarget } from '../../engine/rest/serve.ts';
import type { Arguments } from '../commands.ts';
import { loadRemoteApi } from '../config.ts';
import { greetingOf, urlsOf } from '../greeting.ts';
import { listening, requestLog } from '../serve.ts';
import { stopped } from '../stop.ts';
import { UsageError } from '../values.ts';
import { createProxyControl } from './control.ts';
import { checkable, decodeExchange, parametersOf, type DecodedExchange } from './exchange.ts';
import { basePathOf, createForward, pathAt, type ForwardedExchange } from './forward.ts';

export interface ProxyOptions extends Pick<
  Arguments<'proxy'>,
  'control' | 'controlToken' | 'allowedHost' | 'corsOrigin' | 'quiet'
> {
  /** The server, without the path of its API. */
  readonly to: URL;
  /** The API that it has (default: that of the store). */
  readonly api?: ApiDefinition | undefined;
  /** The path of its API (default: `/api`). */
  readonly apiPath?: string | undefined;
  /** Receives a line for each request, unless `quiet` is set, and for each finding. */
  readonly print: (line: string) => void;
}

/** Forwards requests to another server until the process receives SIGINT or SIGTERM, then prints what was found. */
export async function proxy(args: Arguments<'proxy'>): Promise<void> {
  const { to } = args;
  if (to === undefined) {
    throw new UsageError('proxy requires the server to forward to: --to https://shop.test.');
  }
  const { api, apiPath } = await loadRemoteApi(args);
  const place = placeOf(to.pathname, apiPath);
  const watch = new Watch({ ...place, api, drift: await api.drift?.() });
  const allowedHost = [...args.allowedHost, ...[args.host].filter(isHostName)];
  const upstream = new URL(to);
  upstream.pathname = place.prefix;
  const options = {
    ...args,
    to: upstream,
    api,
    apiPath: place.apiPath,
    allowedHost,
    print: printLine,
  };
  const server = createProxy(options, watch).listen(args.port, args.host);
  const { url } = urlsOf(await listening(server, args), '');
  console.log(greeting(url, args, to, place.apiPath));
  await stopped(server);
  console.log(summary(watch));
}

function printLine(line: string): void {
  console.log(line);
}

/** Creates a server that forwards requests, checks them and their responses, and keeps a journal. */
export function createProxy(options: ProxyOptions, watch: Watch): HttpServer {
  const { to, api = storeApi, apiPath = namedPath, print, quiet } = options;
  const prefix = basePathOf(to);
  const clock = { now: () => toTimestamp(new Date()) };
  const budget = 16 * 1_048_576;
  const journal = new Journal(
    { api: atPath(api, apiPath), clock, settings: { journalSize: 1000 } },
    { session: undefined, budget },
  );
  const control = createProxyControl({ journal, watch }, options);
  const checkHost = createCheckHost(options.allowedHost, hints.host);
  const log = quiet ? undefined : requestLog(print);
  const observe = async (forwarded: ForwardedExchange): Promise<void> => {
    const { request } = forwarded;
    const url = pathAt(to, request.url ?? '/').slice(prefix.length) || '/';
    const { path } = parseTarget(url);
    if (!isBelow(apiPath, path) && !isBelow('/oauth', path)) return;
    const exchange = await decodeExchange(forwarded, url);
    if (typeof exchange === 'string') {
      print(failureLine(`not checked: ${exchange}`, request));
      return;
    }
    const checked = named(checkable(exchange), apiPath);
    record(journal, exchange, checked, api);
    for (const finding of watch.observe(checked)) print(findingLine(finding));
  };
  const forward = createForward({
    to,
    onExchange(exchange) {
      observe(exchange).catch((error: unknown) => console.error(error));
    },
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
    state: 'sent',
    faults: [],
    script: [],
    prefer: undefined,
  });
}

function greeting(url: string, { control }: Arguments<'proxy'>, to: URL, apiPath: string): string {
  const at = (path: string): string => styleText('cyan', `${url}${path}`);
  const rows: [name: string, text: string][] = [
    ['address', at(`${apiPath}/`)],
    ['server', to.href],
  ];
  if (control) rows.push(['journal', at('/_backlot/journal')], ['drift', at('/_backlot/drift')]);
  rows.push(['stop', 'Ctrl+C']);
  return greetingOf(' proxy', rows);
}

function findingLine({ side, endpoint, text }: ObservedFinding): string {
  const label = side === 'response' ? styleText('red', 'DRIFT  ') : styleText('yellow', 'REQUEST');
  return `${label} ${printable(`${endpoint}: ${text}`)}`;
}

function failureLine(reason: string, { method = '', url = '' }: IncomingMessage): string {
  return `${styleText('red', 'FAILED ')} ${printable(redactText(`${method} ${url}`))}: ${printable(reason)}`;
}

function summary({ exchanges, findings }: Watch): string {
  const lines = findings.map(
    (finding) => `${findingLine(finding)} (${formatCount(finding.times)}×)`,
  );
  const count = findings.filter(({ side }) => side === 'response').length;
  const total = `${formatCount(exchanges)} requests checked: ${formatCount(count)} differences of the server, ${formatCount(findings.length - count)} of the client`;
  return ['', total, ...lines].join('\n');
}
