import type { HttpHandler } from 'msw';
import { setupWorker } from 'msw/browser';
import { loadGenerator } from '../scenario/generator.ts';
import { loadDrafts } from '../store/msw-data/draft.ts';
import { keep, type Keeper } from './browser/keep.ts';
import { isSameScript, takeOver, assertSecurePage, startFailure } from './browser/takeover.ts';
import { answerFetch } from './fetch.ts';
import { catchAll, createBackOffice, type MountedBackOffice, type MountOptions } from './mount.ts';

export { createBackOffice } from './mount.ts';
export type { MountedBackOffice, MountOptions } from './mount.ts';

export interface WorkerOptions extends MountOptions {
  /** The URL of MSW's worker script (default: `/mockServiceWorker.js`). It serves the pages in its folder and below. */
  readonly workerUrl?: string | undefined;
  /**
   * Saves the state in IndexedDB and shares it between tabs, under this name, or under a common name if `true`.
   * By default, each load of a page starts with the initial state, and tabs are isolated.
   */
  readonly keep?: boolean | string | undefined;
  /** Your MSW handlers, which run before the back office. */
  readonly handlers?: readonly HttpHandler[] | undefined;
  /** Whether requests are not logged to the console (default: true). */
  readonly quiet?: boolean | undefined;
}

/** A back office in the page, which answers the requests of the page. */
export interface WorkerBackOffice extends MountedBackOffice {
  /**
   * Resolves when the parts of the package that are not needed for the first response are loaded. The page loads them
   * after that response, or when this is called. A reset to a scenario with `generate`, such as `large`, requires them,
   * unless the back office was started with one.
   *
   * @throws TypeError if they cannot be loaded
   */
  loaded(): Promise<void>;
  /** Resolves when the state after all earlier requests is saved; immediately without `keep`. */
  saved(): Promise<void>;
  /** Stops the worker. Requests of the page go to the network again. */
  stop(): Promise<void>;
}

/**
 * Opens a back office in the page and starts the service worker that intercepts the requests of the page.
 *
 * @throws Error that names what is missing: a secure context, the worker script, or a page in its scope
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
  assertSecurePage();
  const backOffice = await open(rest);
  const keeper = kept === false ? undefined : await keepUnder(nameOf(kept), backOffice, rest);
  const worker = setupWorker(...handlers, ...answering(backOffice, rest.baseUrl, keeper));
  await startUnder(workerUrl, () => worker.start(startOptions(workerUrl, quiet)));
  let stopped = false;
  return Object.assign(backOffice, {
    loaded: loadRest,
    saved: async () => keeper?.saved(),
    async stop() {
      if (stopped) return;
      stopped = true;
      backOffice.releaseAll();
      await worker.stop();
      await keeper?.saved();
      keeper?.close();
    },
  });
}

/** Opens a back office, and loads the generator if its scenario cannot be opened without it. */
async function open(options: MountOptions): Promise<MountedBackOffice> {
  try {
    return createBackOffice(options);
  } catch {
    await loadGenerator();
    return createBackOffice(options);
  }
}

async function keepUnder(
  name: string,
  backOffice: MountedBackOffice,
  options: MountOptions,
): Promise<Keeper> {
  return keep(backOffice, name, optionsKey(options));
}

async function loadRest(): Promise<void> {
  await Promise.all([loadGenerator(), loadDrafts()]);
}

async function startUnder(workerUrl: string, start: () => Promise<unknown>): Promise<void> {
  try {
    await takeOver(workerUrl);
    await start();
  } catch (error) {
    throw await startFailure(workerUrl, error);
  }
}

/** Sends a response only after the state is saved. Loads the rest of the package after the first response. */
function answering(backOffice: MountedBackOffice, baseUrl = '*', keeper?: Keeper): HttpHandler[] {
  let rest: Promise<void> | undefined;
  return catchAll(baseUrl, async ({ request }) => {
    const response = await answerFetch(backOffice, request, baseUrl);
    await keeper?.saved();
    // If this fails, `loaded` and whatever needs the rest report it.
    rest ??= loadRest().catch(() => undefined);
    return response;
  });
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

function nameOf(kept: string | true): string {
  return kept === true ? 'common' : kept;
}

/** The options of the page, as text to compare. */
function optionsKey({ scenario, seed, now, settings }: MountOptions): string {
  const name = typeof scenario === 'object' ? scenario.name : scenario;
  return JSON.stringify([name, seed, now, settings]);
}
