import { subscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:net';
import { isObject, valueAt } from '../../engine/lib/json-value.ts';
import { isLoopback } from './unhandled.ts';

/** The servers that have started in this process since this module was loaded. */
const started = new Set<Server>();

// https://nodejs.org/api/diagnostics_channel.html#built-in-channels
subscribe('tracing:net.server.listen:asyncStart', (message) => {
  const server = valueAt(message, ['server']);
  if (!isServer(server)) return;
  started.add(server);
  server.once('close', () => started.delete(server));
});

/** Whether a server of this process listens at a URL, such as the application under test of supertest. */
export function isLocalServer(url: URL): boolean {
  const port = Number(url.port);
  if (port === 0) return false;
  return [...started, ...earlierServers()].some((server) => {
    const address = server.listening ? server.address() : null;
    if (address === null || typeof address === 'string' || address.port !== port) return false;
    return isLoopback(url.hostname) || url.hostname.replaceAll(/^\[|\]$/g, '') === address.address;
  });
}

/** Returns the servers that have started before this module was loaded. Node.js has no documented list of them. */
function earlierServers(): Server[] {
  const host: typeof process & { _getActiveHandles?(): unknown[] } = process;
  return host._getActiveHandles?.().filter(isServer) ?? [];
}

/** Tests by property, because test runners load `node:net` in more than one realm. */
function isServer(handle: unknown): handle is Server {
  return isObject(handle) && 'listening' in handle;
}
