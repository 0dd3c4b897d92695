import type { IncomingMessage } from 'node:http';
import { isBasePath } from '../../lib/base-path.ts';

/**
 * The path that proxies have cut off in front of the request's own: `/shop` of `X-Forwarded-Prefix: /shop`. Of several,
 * each named by its proxy, the outermost stands first.
 *
 * @param proxies how many there are; only what they have added is read
 */
export function forwardedPrefix({ headers }: IncomingMessage, proxies: number): string {
  const parts = added(headers['x-forwarded-prefix'], proxies).map((one) => one.replace(/\/$/, ''));
  return parts.every(isBasePath) ? parts.join('') : '';
}

/** Whether the client came to the outermost proxy by https, as `X-Forwarded-Proto` tells. */
export function isForwardedHttps({ headers }: IncomingMessage, proxies: number): boolean {
  return added(headers['x-forwarded-proto'], proxies)[0]?.toLowerCase() === 'https';
}

/** A proxy adds to the end; what stands before may come from the client. */
function added(header: string | readonly string[] | undefined, proxies: number): string[] {
  if (header === undefined || proxies === 0) return [];
  const all = String(header).split(',');
  return all.slice(-proxies).map((one) => one.trim());
}
