import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Server as HttpServer } from 'node:http';
import { isHostName } from '../adapters/http/hosts.ts';
import { createHttpServer } from '../adapters/http/server.ts';
import { openBackOffice } from '../office/open-back-office.ts';
import { builtInScenarios } from '../scenario/built-in.ts';
import { openSessions, type Server } from '../sessions/server.ts';
import type { Arguments } from './arguments.ts';
import { greeting } from './greeting.ts';
import { reachOf, type Reach } from './reach.ts';
import { requestLog } from './request-log.ts';
import { findScenario } from './scenarios.ts';
import { UsageError } from './usage-error.ts';
import { version } from './usage.ts';

/** Serves back offices until it is told to stop. */
export async function serve(args: Arguments): Promise<void> {
  const sessions = openAll(args);
  const server = createHttpServer(sessions, {
    corsOrigin: args.corsOrigin,
    allowedHosts: [...args.allowedHosts, ...[args.host].filter(isHostName)],
    maxWaiting: args.maxWaiting,
    proxies: args.proxies,
    basePath: args.basePath,
    home: args.control ? '/_backlot/' : undefined,
    idleTimeout: args.demo ? 5000 : undefined,
    log: args.quiet ? undefined : requestLog(console.log),
  }).listen(args.port, args.host);
  const reach = await listening(server, args);
  console.log(greeting(sessions.shared, reach, args));
  if (args.demo) warmUp(sessions.warmUp());
  const { resetEvery } = args;
  const timer =
    resetEvery === undefined
      ? undefined
      : setInterval(() => sessions.resetAll(), resetEvery * 1000).unref();
  await stopped(server);
  clearInterval(timer);
}

/** Takes one step after the other, and lets requests come between. */
function warmUp(steps: Iterator<void>): void {
  setTimeout(() => {
    if (steps.next().done !== true) warmUp(steps);
  }, 10).unref();
}

function openAll(args: Arguments): Server {
  const { maxBodyBytes, latency } = args;
  const [from, to] = latency;
  const shared = openBackOffice({
    scenario: findScenario(args.scenario),
    seed: args.seed,
    now: args.now,
    clock: args.clock,
    milliseconds,
    ...(to > 0 && { faults: [{ delay: { from, to } }] }),
    maxRows: args.maxRows,
    maxSnapshots: args.maxSnapshots,
    limitFaultHeaders: args.demo,
    ...(maxBodyBytes !== undefined && { settings: { maxBodyBytes } }),
  });
  return openSessions(shared, {
    ...args,
    fixedStarts: args.demo,
    ...(args.demo && { scenarios: builtInScenarios.filter((name) => name !== 'large') }),
    milliseconds,
    newName: () => crypto.randomUUID(),
    version: version(),
  });
}

function milliseconds(): number {
  return performance.now();
}

async function listening(server: HttpServer, { host, port, basePath }: Arguments): Promise<Reach> {
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new UsageError(refusal(error, host, port));
  }
  return reachOf(server.address() as AddressInfo, basePath);
}

function refusal(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `Port ${port} is in use; try another with --port.`;
  if (code === 'EACCES')
    return `Port ${port} needs more rights than this user has; try --port 4000.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine has no address ${host}; try --host 127.0.0.1, or 0.0.0.0 for all it has.`;
  return `Cannot listen on ${host}, port ${port}: ${String(code ?? error)}.`;
}

/** Waits for SIGINT or SIGTERM, then closes the server and every connection that is still open. */
async function stopped(server: HttpServer): Promise<void> {
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
