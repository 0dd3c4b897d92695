import type { HttpHandler } from 'msw';
import { setupWorker } from 'msw/browser';
import { keep, type Keeper } from './browser/keep.ts';
import { isSameScript, takeOver } from './browser/takeover.ts';
import { refuseInsecurePage, startFailure } from './browser/failures.ts';
import { answerFetch } from './fetch.ts';
import { catchAll } from './handlers.ts';
import { createBackOffice, type MountedBackOffice, type MountOptions } from './mount.ts';

export { createBackOffice } from './mount.ts';
export type { MountedBackOffice, MountOptions } from './mount.ts';

export interface WorkerOptions extends MountOptions {
  /** Where the worker script of MSW is: `/mockServiceWorker.js` if not given. Its folder bounds the pages it serves. */
  readonly workerUrl?: string | undefined;
  /**
   * Keeps what happens over reloads of the page and shares it between tabs, under this name or (`true`) a common one.
   * Without it, each load of a page begins anew, and tabs don't see each other.
   */
  readonly keep?: boolean | string | undefined;
  /** MSW handlers of yours, asked before the back office. */
  readonly handlers?: readonly HttpHandler[] | undefined;
  /** Says nothing of each request in the console: true if not given. */
  readonly quiet?: boolean | undefined;
}

/** A back office that lives in the page and answers its requests. */
export interface WorkerBackOffice extends MountedBackOffice {
  /** Resolves when everything that has happened so far is kept; at once without `keep`. */
  saved(): Promise<void>;
  /** The page speaks to the network again. */
  stop(): Promise<void>;
}

/**
 * Opens a back office in the page and starts the service worker that brings it the page's requests.
 *
 * @throws Error that says what is missing: a secure context, the worker script, a page within its scope
 * @throws Problem as `createBackOffice`
 */
export async function startWorker(options: WorkerOptions = {}): Promise<WorkerBackOffice> {
  const {
    workerUrl = '/mockServiceWorker.js',
    keep: kept = false,
    handlers = [],
    quiet = true,
    ...rest
  } = options;
  refuseInsecurePage();
  const backOffice = createBackOffice(rest);
  const keeper = kept === false ? undefined : await keep(backOffice, nameOf(kept), wishOf(rest));
  const worker = setupWorker(...handlers, ...answering(backOffice, rest.baseUrl, keeper));
  await startUnder(workerUrl, () => worker.start(startOptions(workerUrl, quiet)));
  let stopped = false;
  return Object.assign(backOffice, {
    saved: async () => keeper?.saved(),
    async stop() {
      if (stopped) return;
      stopped = true;
      await worker.stop();
      await keeper?.saved();
      keeper?.close();
    },
  });
}

async function startUnder(workerUrl: string, start: () => Promise<unknown>): Promise<void> {
  try {
    await takeOver(workerUrl);
    await start();
  } catch (error) {
    throw await startFailure(workerUrl, error);
  }
}

/** An answer goes out when what it says is kept. */
function answering(backOffice: MountedBackOffice, baseUrl = '*', keeper?: Keeper): HttpHandler[] {
  return catchAll(baseUrl, async ({ request }) => {
    const response = await answerFetch(backOffice, request, baseUrl);
    await keeper?.saved();
    return response;
  });
}

/** Requests for other things are none of ours. The name of that option differs between versions of MSW. */
function startOptions(url: string, quiet: boolean) {
  return {
    quiet,
    serviceWorker: { url },
    findWorker: isSameScript,
    onUnhandledFrame: 'bypass' as const,
    onUnhandledRequest: 'bypass' as const,
  };
}

function nameOf(kept: string | true): string {
  return kept === true ? 'common' : kept;
}

/** What the page asks for, as text to compare. */
function wishOf({ scenario, seed, now, settings }: MountOptions): string {
  const name = typeof scenario === 'object' ? scenario.name : scenario;
  return JSON.stringify([name, seed, now, settings]);
}
