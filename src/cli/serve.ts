import { requestLog } from './request-log.ts';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { IncomingMessage, Server as HttpServer } from 'node:http';
import { isHostName } from '../mounts/server/host-names.ts';
import { createHttpServer } from '../mounts/server/server.ts';
import { landingOf } from '../engine/control/endpoints/begin.ts';
import type { ApiDefinition } from '../engine/definition/api.ts';
import type { BackOffice } from '../engine/office/back-office.ts';
import { intercept } from '../engine/office/interceptor.ts';
import { openStoreOffice } from '../shop/open-store-office.ts';
import { storeApi } from '../shop/store-api.ts';
import type { StoreOffice, StoreOptions } from '../shop/office/store-office.ts';
import { openSessions, type Server } from '../engine/sessions/server.ts';
import type { StoredServer } from '../mounts/stores/open-stored.ts';
import { visitorScenarios } from '../mounts/server/visitor-scenarios.ts';
import type { ServerCoverage } from './coverage.ts';
import { version } from './arguments.ts';
import { lastFindings } from './chaos-findings.ts';
import { replayRecording } from './dropped-recording.ts';
import type { Arguments } from './commands.ts';
import { configFile, loadApi } from './config.ts';
import { greeting } from './greeting.ts';
import { cacheSize, disablePretenuring } from './memory.ts';
import { findScenario, isBuiltIn } from './scenarios.ts';
import { stopped, stoppedAfterDrain } from './stop.ts';
import { createProgressLine, printIssue } from './terminal.ts';
import { UsageError } from './values.ts';
import { warmUp } from './warm-up.ts';
import type { OpenShared } from './watch-server.ts';
import { withPage } from '../engine/lib/error-page.ts';

/** Serves back offices until it is told to stop, as `stopped` says. */
export async function serve(args: Arguments, stop?: AbortSignal): Promise<void> {
  await assertUsable(args);
  disablePretenuring();
  const suite = process.env['BACKLOT_SUITE'];
  if (suite !== undefined) await watchSessions(suite);
  // First, so that a change after the file was read is noticed.
  const { promise: opened, resolve: open } = Promise.withResolvers<Server>();
  let api = storeApi;
  const coverage = await openCoverage(args.coverage, () => api);
  const openWith: OpenShared = (one, scenario, onProgress) =>
    openShared(args, { api: one, scenario, onProgress, coverage: coverage?.recorder });
  const watched = args.watch
    ? await (await import('./watch-server.ts')).watchServer(args, opened, openWith)
    : undefined;
  api = watched?.api ?? (await loadApi(args));
  const sessions = await openServer(args, api, openWith, coverage);
  open(sessions);
  if (args.demo) sessions.setReady(false);
  const stored = await keepSessions(sessions, args);
  const httpServer = createHttpServer(sessions, {
    sessionRouter: stored?.sessionRouter,
    corsOrigin: args.corsOrigin,
    allowedHosts: [...args.allowedHost, ...[args.host].filter(isHostName)],
    maxWaiting: args.maxWaiting,
    proxies: args.proxies,
    basePath: args.basePath,
    home: homeOf(args),
    idleTimeout: args.demo ? 5000 : undefined,
    log: args.quiet ? undefined : requestLog(console.log),
  }).listen(args.port, args.host);
  // Browsers send a request again if a connection that they have used before is dropped.
  if (suite !== undefined) httpServer.maxRequestsPerSocket = 1;
  if (sessions.countsClients && args.proxies === 0) warnOfProxy(httpServer);
  const address = await listening(httpServer, args);
  console.log(greeting(sessions.shared, address, args));
  if (args.demo) warmUp(sessions.warmUp(), () => sessions.setReady(true));
  else warmUp(sessions.warmUpReads());
  const { resetEvery } = args;
  const timer =
    resetEvery === undefined || stored !== undefined
      ? undefined
      : setInterval(() => sessions.resetAll(), resetEvery * 1000).unref();
  if (stored === undefined) await stopped(httpServer, stop);
  else await stoppedAfterDrain(httpServer, stored, () => sessions.setReady(false), stop);
  watched?.end();
  clearInterval(timer);
  coverage?.save();
  // Node.js waits at its end for what its threads do, even for a disk that never answers.
  if (stored?.sessionRouter.hangs === true) process.kill(process.pid, 'SIGKILL');
}

/** @throws UsageError for flags that need another one */
async function assertUsable(args: Arguments): Promise<void> {
  const { watch, scenario } = args;
  if (watch && configFile(args) === undefined && isBuiltIn(scenario, await loadApi(args))) {
    throw new UsageError(
      '--watch requires the file of a scenario or of a definition: --scenario <file>, --config <file>.',
    );
  }
}

/** Watches the sessions of the tests that a command runs again and again. @param folder where they leave what they tell */
async function watchSessions(folder: string): Promise<void> {
  const { SessionRuns } = await import('../suite/node/session-runs.ts');
  intercept(new SessionRuns(folder));
}

/** Keeps sessions in a store, if a flag names one. @throws UsageError if it cannot be used */
async function keepSessions(server: Server, args: Arguments): Promise<StoredServer | undefined> {
  const { store: url, resetEvery } = args;
  if (url === undefined) return undefined;
  const { openStored, StoreIssue } = await import('../mounts/stores/open-stored.ts');
  try {
    return await openStored(server, {
      url,
      resetEvery,
      idle: args.sessionIdle ?? 'PT1H',
      sessions: args.sessions,
      program: JSON.stringify([version(), args.latency, args.maxBody, args.weather]),
      warn: printIssue,
    });
  } catch (error) {
    throw error instanceof StoreIssue ? new UsageError(error.message) : error;
  }
}

/** Loads what counts, if a flag or a test reporter requires it. */
async function openCoverage(
  file: string | undefined,
  apiOf: () => ApiDefinition,
): Promise<ServerCoverage | undefined> {
  const folder = process.env['BACKLOT_COVERAGE'];
  if (file === undefined && folder === undefined) return undefined;
  const { countServer } = await import('./coverage.ts');
  return countServer(file, folder, apiOf);
}

async function openServer(
  args: Arguments,
  api: ApiDefinition,
  openWith: OpenShared,
  coverage: ServerCoverage | undefined,
): Promise<Server> {
  const { maxBody, demo } = args;
  const progress = createProgressLine(`opening the scenario ${args.scenario}`);
  // The records of a file are read in one go, which can take seconds.
  if (!isBuiltIn(args.scenario, api)) progress.show();
  let shared: BackOffice;
  try {
    const scenario = await findScenario(args.scenario, undefined, api);
    shared = openWith(api, scenario, progress.onProgress);
  } finally {
    progress.end();
  }
  return openSessions(shared, {
    sessions: args.sessions,
    maxSessions: args.maxSessions,
    sessionIdle: args.sessionIdle,
    sessionLife: args.sessionLife,
    clientShare: args.clientShare,
    requestRate: args.rate,
    maxBodyBytes: maxBody,
    maxControlBytes: args.maxControlBody,
    maxImportBytes: args.maxImport,
    control: args.control,
    controlToken: args.controlToken,
    fixedStarts: demo,
    ...(demo && { scenarios: visitorScenarios(api) }),
    milliseconds,
    newName: () => crypto.randomUUID(),
    version: version(),
    coverageReport: coverage?.report,
    chaos: lastFindings,
    // A replay takes seconds, in which others wait.
    ...(!demo && { replayRecording }),
  });
}

/** Opens the shared back office. */
function openShared(
  {
    seed,
    now,
    today,
    clock,
    latency: [from, to],
    weather,
    maxRows,
    maxSnapshots,
    maxBody,
    demo,
  }: Arguments,
  options: Pick<StoreOptions, 'api' | 'scenario' | 'onProgress' | 'coverage'>,
): StoreOffice {
  return openStoreOffice({
    ...options,
    seed,
    now,
    today,
    currentTime: Date.now,
    clock,
    milliseconds,
    ...(to > 0 && { faults: [{ delay: { from, to } }] }),
    weather,
    history: true,
    maxRows,
    maxSnapshots,
    maxCachedBytes: cacheSize(),
    limitFaultHeaders: demo,
    ...(maxBody !== undefined && { settings: { maxBodyBytes: maxBody } }),
  });
}

function milliseconds(): number {
  return performance.now();
}

/** Resolves when a server listens. @throws UsageError if it cannot */
export async function listening(
  server: HttpServer,
  { host, port }: Pick<Arguments, 'host' | 'port'>,
): Promise<AddressInfo> {
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new UsageError(listenIssue(error, host, port));
  }
  return server.address() as AddressInfo;
}

function listenIssue(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return withPage('port-in-use', `Port ${port} is in use. Use another --port.`);
  if (code === 'EACCES') {
    return `This user is not permitted to listen on port ${port}. Use another port, such as --port 4000.`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `This machine has no address ${host}. Use --host 127.0.0.1, or --host 0.0.0.0 for all addresses.`;
  }
  return `Cannot listen on ${host}, port ${port}: ${String(code ?? error)}.`;
}

/** Returns where the root of a server leads to: in a demo, where a visitor without a token goes on; nowhere without a studio. */
function homeOf({ control, controlToken, demo }: Arguments): string | undefined {
  if (!control) return undefined;
  return demo ? landingOf({ control: controlToken === undefined }) : '/_backlot/';
}

/** Warns once, at the first request that a proxy forwards: to the limits, all its clients are one. */
function warnOfProxy(server: HttpServer): void {
  const check = ({ headers }: IncomingMessage): void => {
    if (headers['x-forwarded-for'] === undefined) return;
    server.off('request', check);
    printIssue(
      'A request has X-Forwarded-For, but no proxy is trusted. All clients behind a proxy share the limits of one client. Behind one reverse proxy, use --proxies 1.',
    );
  };
  server.on('request', check);
}
