import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import {
  setImmediate as setImmediateAsync,
  setTimeout as setTimeoutAsync,
} from 'node:timers/promises';
import { promisify } from 'node:util';
import type { StoredServer } from '../mounts/stores/open-stored.ts';
import { npmShellExited } from './npm-shell.ts';

/**
 * Waits for SIGINT, SIGTERM, the end of npm if it started the process, or `stop`, then closes the server and all open
 * connections.
 */
export async function stopped(server: HttpServer, stop?: AbortSignal): Promise<void> {
  await stopRequested(stop);
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

/**
 * Waits as `stopped` does, then answers requests for some time and closes their connections. Other servers can have its
 * sessions meanwhile.
 */
export async function stoppedAfterDrain(
  server: HttpServer,
  stored: StoredServer,
  begin: () => void,
  stop?: AbortSignal,
): Promise<void> {
  await stopRequested(stop);
  begin();
  server.prependListener('request', (_, response) => response.setHeader('connection', 'close'));
  await setTimeoutAsync(lingering);
  await allReceived();
  // Takes time, so `close` must not have to do it.
  server.closeIdleConnections();
  await allReceived();
  server.close();
  const count = promisify(server.getConnections.bind(server));
  for (let waited = 0; waited < maxDrain && (await count()) > 0; waited += 20) {
    server.closeIdleConnections();
    await setTimeoutAsync(20);
  }
  server.closeAllConnections();
  await stored.close();
}

/**
 * The time for which a server with a store accepts connections after it was told to stop, so that a balancer notices,
 * and how long it waits for responses, in milliseconds.
 */
const [lingering, maxDrain] = [500, 5000];

/**
 * Resolves right after the event loop has found nothing to do. A connection that has arrived, but was not accepted when a
 * server closes, is reset, and so is one whose request was not read: on a busy machine, the timer may be due before it is.
 */
async function allReceived(): Promise<void> {
  for (let turns = 0; turns < maxTurns; turns++) {
    const start = performance.now();
    await setImmediateAsync();
    if (performance.now() - start < emptyTurn) return;
  }
}

/** The maximum duration of an idle turn of the event loop, in milliseconds. */
const emptyTurn = 0.02;

const maxTurns = 10_000;

async function stopRequested(stop?: AbortSignal): Promise<void> {
  const heard = new AbortController();
  const signals = ['SIGINT', 'SIGTERM'].map((name) =>
    once(process, name, { signal: heard.signal }),
  );
  await Promise.race([
    ...signals,
    npmShellExited(),
    ...(stop === undefined ? [] : [aborted(stop)]),
  ]);
  heard.abort();
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
