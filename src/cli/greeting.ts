import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { styleText } from 'node:util';
import { aboutApi } from '../engine/definition/about-api.ts';
import { addressOf } from '../engine/lib/api-path.ts';
import { Problem } from '../engine/lib/problem.ts';
import { leftOutText } from '../engine/scenario/data.ts';
import type { BackOffice } from '../engine/office/back-office.ts';
import { parseTarget } from '../engine/rest/serve.ts';
import { formatRows, version } from './arguments.ts';
import type { Arguments } from './commands.ts';
import { httpUrl } from './running-server.ts';
import { widthOf } from './terminal.ts';

/** Returns the text to print when the server has started. */
export function greeting(backOffice: BackOffice, address: AddressInfo, args: Arguments): string {
  const { scenario, clock, shop } = backOffice;
  const apiPath = shop.api.path;
  const { leftOut = [] } = shop.start;
  const overview = shop.api.control?.parts().overview;
  const { url, networkUrls, isLoopback } = urlsOf(address, args.basePath);
  const { list } = aboutApi(shop.api);
  // It leads to the studio. The path of an API itself is no endpoint.
  const first = args.control || list === undefined ? '/' : addressOf(apiPath, list);
  const rows: (readonly [name: string, text: string])[] = [
    ['address', styleText('cyan', `${url}${first}`)],
    ...networkUrls.map(
      (networkUrl, index) =>
        [index === 0 ? 'network' : '', styleText('cyan', `${networkUrl}${first}`)] as const,
    ),
    ['api', `below ${apiPath}/`],
    ...(isLoopback ? [] : [['open to', openTo(aboutApi(shop.api).name, args)] as const]),
    ['scenario', `${scenario.name}: ${scenario.description}`],
    ...(overview === undefined ? [] : [['data', overview.counts(shop.db)] as const]),
    ...(leftOut.length === 0 ? [] : [['left out', leftOutText(leftOut)] as const]),
    ['clock', `${clock.now()}, ${clock.mode}`],
    ['sessions', sessionTexts[args.sessions].replace('/api/', `${apiPath}/`)],
    ['studio', studioOf(url, args)],
    ...tryOf(backOffice, url, args),
    ['tests', '`npx backlot init` writes a first one into your project'],
    ['stop', 'Ctrl+C'],
  ];
  return greetingOf('', rows);
}

/** Returns a first request, and what it needs. */
function tryOf(
  backOffice: BackOffice,
  url: string,
  { sessions }: Pick<Arguments, 'sessions'>,
): readonly (readonly [name: string, text: string])[] {
  const { api } = backOffice.shop;
  const { list } = aboutApi(api);
  if (list === undefined) return [];
  const there = `${addressOf(api.path, list)}?limit=1`;
  const session = sessions === 'required' ? '/s/first' : '';
  const call = `curl '${url}${session}${there}'`;
  if (!requiresToken(backOffice, there)) return [['try', call]];
  const { tokenUrl, credentials = 'a token' } = api;
  if (tokenUrl === undefined) return [['try', `${call} with ${credentials}`]];
  const token = `curl -s '${url}${tokenUrl}' | cut -d '"' -f 4`;
  return [['try', `${call} -H "Authorization: Bearer $(${token})"`]];
}

function requiresToken({ shop }: BackOffice, url: string): boolean {
  try {
    shop.api.authenticate(shop, { method: 'GET', url, headers: {} }, parseTarget(url));
    return false;
  } catch (error) {
    return error instanceof Problem && error.kind === 'denied';
  }
}

/** @param command what the program does, if not serve */
export function greetingOf(
  command: string,
  rows: readonly (readonly [name: string, text: string])[],
): string {
  const lines = formatRows(
    rows.map(([name, text]) => [styleText('dim', name), text]),
    widthOf(process.stdout),
  );
  const title = `  ${styleText('bold', 'backlot')} ${version()}${command}`;
  return ['', title, '', ...lines, ''].join('\n');
}

const sessionTexts: Readonly<Record<Arguments['sessions'], string>> = {
  optional: 'by X-Backlot-Session or /s/<name>/api/; otherwise the shared back office',
  required: 'by X-Backlot-Session or /s/<name>/api/; required',
  own: 'one for each visitor, by cookie',
};

/** Lists the APIs that other machines can use. */
function openTo(name: string, { control, controlToken }: Arguments): string {
  const network = 'every machine in the network';
  if (!control) return `${network}: the ${name} API`;
  if (controlToken !== undefined)
    return `${network}: the ${name} API, and with a token the control API`;
  return `${network}: the ${name} API and the control API. Use --control-token <token> or --no-control to protect the control API`;
}

function studioOf(url: string, { control, controlToken }: Arguments): string {
  if (!control) return 'disabled, as the control API';
  const page = styleText('cyan', `${url}/_backlot/`);
  return controlToken === undefined ? page : `${page}, token required`;
}

interface ServerUrls {
  /** For clients on this machine. */
  readonly url: string;
  /** For other machines, if the server listens on all addresses. */
  readonly networkUrls: readonly string[];
  readonly isLoopback: boolean;
}

/** Returns the URLs of a server that listens at an address. */
export function urlsOf({ address, port }: AddressInfo, basePath: string): ServerUrls {
  const urlOf = (host: string): string => httpUrl(host, port, basePath);
  const isLoopback = address.startsWith('127.') || address === '::1';
  if (address !== '0.0.0.0' && address !== '::') {
    return { url: urlOf(address), networkUrls: [], isLoopback };
  }
  // A server that listens on :: accepts IPv4, too.
  const addresses = externalAddresses().filter((one) => address === '::' || !one.includes(':'));
  return { url: urlOf('127.0.0.1'), networkUrls: addresses.map(urlOf), isLoopback };
}

/** Returns IPv4 addresses before IPv6 ones. Link-local addresses are left out: their URLs require an interface name. */
function externalAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ internal, address }) => !internal && !/^(fe[89ab]|169\.254\.)/i.test(address))
    .map(({ address }) => address)
    .toSorted((a, b) => Number(a.includes(':')) - Number(b.includes(':')));
}
