import { styleText } from 'node:util';
import { formatCount } from '../engine/lib/problem.ts';
import { isHostName } from '../mounts/server/host-names.ts';
import { placeOf } from '../verify/drift/client.ts';
import { ExchangeMonitor } from '../verify/drift/exchange-monitor.ts';
import { HarRecording } from '../verify/proxy/har-recording.ts';
import { createProxy, findingLine } from '../verify/proxy/proxy.ts';
import type { Arguments } from './commands.ts';
import { loadRemoteApi } from './config.ts';
import { greetingOf, urlsOf } from './greeting.ts';
import { requestLog } from './request-log.ts';
import { listening } from './serve.ts';
import { stopped } from './stop.ts';
import { UsageError } from './values.ts';
import { assertWritable } from './whole-file.ts';

/** Forwards requests to another server until it is told to stop, as `stopped` says, then prints what was found. */
export async function proxy(args: Arguments<'proxy'>, stop?: AbortSignal): Promise<void> {
  const { to, record } = args;
  if (to === undefined) {
    throw new UsageError('proxy requires the server to forward to: --to https://shop.test.');
  }
  const { api, apiPath } = await loadRemoteApi(args);
  const place = placeOf(to.pathname, apiPath);
  const watch = new ExchangeMonitor({ ...place, api, drift: await api.drift?.() });
  const allowedHost = [...args.allowedHost, ...[args.host].filter(isHostName)];
  const upstream = new URL(to);
  upstream.pathname = place.prefix;
  if (record !== undefined) assertWritable(record);
  const recording = record === undefined ? undefined : new HarRecording(record);
  const options = {
    ...args,
    recording,
    to: upstream,
    api,
    apiPath: place.apiPath,
    allowedHost,
    log: args.quiet ? undefined : requestLog(printLine),
    print: printLine,
  };
  const server = createProxy(options, watch).listen(args.port, args.host);
  const { url } = urlsOf(await listening(server, args), '');
  console.log(greeting(url, args, to, place.apiPath));
  await stopped(server, stop);
  console.log(summary(watch));
  if (recording !== undefined)
    console.log(`${formatCount(recording.count)} requests recorded in ${record}`);
}

function printLine(line: string): void {
  console.log(line);
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

function summary({ exchanges, findings }: ExchangeMonitor): string {
  const lines = findings.map(
    (finding) => `${findingLine(finding)} (${formatCount(finding.times)}×)`,
  );
  const count = findings.filter(({ side }) => side === 'response').length;
  const total = `${formatCount(exchanges)} requests checked: ${formatCount(count)} differences of the server, ${formatCount(findings.length - count)} of the client`;
  return ['', total, ...lines].join('\n');
}
