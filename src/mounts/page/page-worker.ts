import { http, type HttpHandler } from 'msw';
import type { SetupWorker } from 'msw/browser';
import { controlLost, isControlledBy, isSameScript, loadFailures, takeOver } from './takeover.ts';

/** The back office that answers the requests of a page, as one start of it. */
export interface Owner {
  /** Resolves when its state is saved. */
  saved(): Promise<void>;
  /** Sends the held responses. */
  release(): void;
  close(): void;
}

/** Options of the interception. */
export interface Interception {
  readonly workerUrl: string;
  readonly quiet: boolean;
  readonly handlers: readonly HttpHandler[];
}

/** A started worker. */
interface Running {
  readonly options: Interception;
  readonly worker: SetupWorker;
  /** Resolves with the script of another worker, as soon as that controls the page. */
  readonly lost: Promise<string>;
}

/** The interception of a page. There is one, even if this module is loaded twice, as after a hot reload. */
interface PageWorker {
  /** Ends with the last start or stop so far. Each waits for the one before. */
  last: Promise<unknown>;
  /** Number of starts that wait or run. */
  starting: number;
  running?: Running;
  /** Whether it has intercepted requests before. */
  wasStarted: boolean;
  owner?: Owner | undefined;
  /** Whether the owner was stopped while another start waited, which takes the worker over. */
  isStopped: boolean;
}

const key = Symbol.for('backlot.page-worker');

function pageWorker(): PageWorker {
  const holder: typeof globalThis & { [key]?: PageWorker } = globalThis;
  return (holder[key] ??= {
    last: Promise.resolve(),
    starting: 0,
    wasStarted: false,
    isStopped: false,
  });
}

/** Runs a start after all earlier starts and stops of the page. */
export async function startInTurn<Started>(
  start: (page: PageWorker) => Promise<Started>,
): Promise<Started> {
  const page = pageWorker();
  page.starting++;
  return inTurn(page, async () => {
    try {
      return await start(page);
    } finally {
      page.starting--;
      await stopIfUnused(page);
    }
  });
}

/** Stops the worker after all earlier starts and stops of the page, unless it has another owner then. */
export async function stopInTurn(owner: Owner): Promise<void> {
  const page = pageWorker();
  await inTurn(page, async () => {
    if (page.owner !== owner) return;
    page.isStopped = true;
    await stopIfUnused(page);
  });
}

/**
 * Has the handlers answer the requests of the page from now on. A worker that runs is kept, so that no request passes in
 * between.
 *
 * @throws StartFailure; then the earlier handlers still answer
 */
export async function intercept(page: PageWorker, next: Interception, owner: Owner): Promise<void> {
  const { running } = page;
  if (running !== undefined && isReusable(running.options, next)) {
    running.worker.resetHandlers(...next.handlers);
    page.running = { ...running, options: next };
  } else await restart(page, next);
  const before = page.owner;
  page.owner = owner;
  page.isStopped = false;
  await end(before);
}

function isReusable(running: Interception, next: Interception): boolean {
  return (
    running.workerUrl === next.workerUrl &&
    running.quiet === next.quiet &&
    isControlledBy(next.workerUrl)
  );
}

/** Starts another worker in place of the one that runs. If that fails, restarts the earlier one. */
async function restart(page: PageWorker, next: Interception): Promise<void> {
  const { running } = page;
  if (running !== undefined) {
    await (await loadFailures()).assertScript(next.workerUrl);
    delete page.running;
    await stop(running);
  }
  try {
    await run(page, next);
  } catch (error) {
    if (running !== undefined) await run(page, running.options);
    throw error;
  }
}

async function run(page: PageWorker, options: Interception): Promise<void> {
  const { workerUrl, quiet, handlers } = options;
  // Not before: this module is also imported in Node.js, where MSW 3 has no such module.
  const { setupWorker } = await import('msw/browser');
  const worker = setupWorker(...handlers);
  try {
    await takeOver(workerUrl);
    const running = { options, worker, lost: controlLost(workerUrl) };
    const started = worker.start(startOptions(workerUrl, quiet)).then(() => undefined);
    const other = await Promise.race([started, running.lost]);
    if (other !== undefined) {
      await stop(running);
      throw (await loadFailures()).otherWorker(workerUrl, other);
    }
    page.running = running;
    void warnOfLoss(page, running);
  } catch (error) {
    throw await (await loadFailures()).startFailure(workerUrl, error);
  }
}

/** Says when another worker takes the page from the one that runs. */
async function warnOfLoss(page: PageWorker, running: Running): Promise<void> {
  const other = await running.lost;
  if (page.running !== running) return;
  const { lostPage } = await loadFailures();
  // oxlint-disable-next-line no-console -- there is no caller to report it to
  console.warn(lostPage(running.options.workerUrl, other));
}

/**
 * Stops a worker. Until one is started again, requests that its script asks about go to the network: MSW 2 does not answer
 * all of them, and such a request would never end. The types of messages are those of that script. MSW 3 waits for the answer of
 * its worker, which does not come from one that was replaced.
 */
async function stop({ worker, lost }: Running): Promise<void> {
  const { serviceWorker } = navigator;
  const leave = (event: MessageEvent<{ readonly type?: unknown } | null>): void => {
    const type = event.data?.type;
    if (type === 'REQUEST') event.ports[0]?.postMessage({ type: 'PASSTHROUGH' });
    // Of any part of the page that has started one.
    if (type === 'MOCKING_ENABLED') serviceWorker.removeEventListener('message', leave);
  };
  serviceWorker.addEventListener('message', leave);
  await Promise.race([worker.stop(), lost]);
}

async function stopIfUnused(page: PageWorker): Promise<void> {
  const { running, owner } = page;
  if (!page.isStopped || page.starting > 0 || running === undefined) return;
  page.isStopped = false;
  delete page.running;
  page.owner = undefined;
  owner?.release();
  // MSW 2 still answers a request of the millisecond in which it is stopped.
  running.worker.resetHandlers(http.all('*', leaveToNetwork));
  await stop(running);
  await end(owner);
}

const leaveToNetwork = (): Promise<undefined> => Promise.resolve(undefined);

/** Sends what the owner still holds, and saves its state. */
async function end(owner: Owner | undefined): Promise<void> {
  owner?.release();
  await owner?.saved();
  owner?.close();
}

async function inTurn<Result>(page: PageWorker, work: () => Promise<Result>): Promise<Result> {
  const result = page.last.then(work);
  page.last = result.catch(() => undefined);
  return result;
}

/** Other requests go to the network. MSW 2 and 3 use different names for this option. */
function startOptions(url: string, quiet: boolean) {
  return {
    quiet,
    serviceWorker: { url },
    findWorker: isSameScript,
    onUnhandledFrame: 'bypass' as const,
    onUnhandledRequest: 'bypass' as const,
  };
}
