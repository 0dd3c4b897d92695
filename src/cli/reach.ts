import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';

/** By which URLs a server can be reached, and whether from other machines. */
export interface Reach {
  /** For a browser on this machine. */
  readonly url: string;
  /** For other machines, if the server listens on every address of this one. */
  readonly network: readonly string[];
  readonly isLoopback: boolean;
}

/** @param basePath what every path begins with */
export function reachOf({ address, port }: AddressInfo, basePath: string): Reach {
  const urlOf = (host: string): string =>
    `http://${host.includes(':') ? `[${host}]` : host}:${port}${basePath}`;
  const isLoopback = address.startsWith('127.') || address === '::1';
  if (address !== '0.0.0.0' && address !== '::') {
    return { url: urlOf(address), network: [], isLoopback };
  }
  // One that listens on :: takes IPv4, too.
  const addresses = externalAddresses().filter((one) => address === '::' || !one.includes(':'));
  return { url: urlOf('127.0.0.1'), network: addresses.map(urlOf), isLoopback };
}

/** Without link-local ones, which need the name of an interface beside them. */
function externalAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ internal, address }) => !internal && !/^(fe[89ab]|169\.254\.)/i.test(address))
    .map(({ address }) => address)
    .toSorted((one, other) => Number(one.includes(':')) - Number(other.includes(':')));
}
