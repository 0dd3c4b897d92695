import { http, type HttpHandler } from 'msw';
import { loadParts, openInPage } from '../shop/open-in-page.ts';
import type { OpenedView } from '../engine/definition/named-state.ts';
import { warnOfEarlyRequest } from './page/early-requests.ts';
import type { StateSaver } from './page/state-saver.ts';
import { intercept, startInTurn, stopInTurn } from './page/page-worker.ts';
import { assertSecurePage } from './page/takeover.ts';
import { answerFetch } from './fetch/fetch.ts';
import {
  catchAll,
  covers,
  createFetch,
  mount,
  mountOptions,
  type MountedBackOffice,
  type MountOptions,
} from './mount.ts';
import { assertOptions, type NamesOf } from '../engine/lib/unknown-keys.ts';
import { withTables, type TypedOptions, type WithTables } from '../engine/office/typed-office.ts';

export type { OpenedView as OpenedState } from '../engine/definition/named-state.ts';
export type { MountedBackOffice, MountOptions } from './mount.ts';

export interface WorkerOptions extends MountOptions {
  /** The URL of MSW's worker script (default: `/mockServiceWorker.js`). It serves the pages in its folder and below. */
  readonly workerUrl?: string | undefined;
  /**
   * Saves the state in IndexedDB and shares it between tabs, under this name, or under a common name if `true`.
   * By default, each load of a page starts with the initial state, and tabs are isolated. Requests that write are
   * answered one after another in all tabs (`navigator.locks`), each from the newest state.
   */
  readonly keep?: boolean | string | undefined;
  /** Your MSW handlers, which run before the back office. */
  readonly handlers?: readonly HttpHandler[] | undefined;
  /**
   * A state to open at the start, as `npx backlot states` lists them, or null for none. A page takes it from its URL:
   * `state: new URLSearchParams(location.search).get('state')`. With `keep`, an address opens its state once. A page with the name
   * of no state shows what is wrong.
   */
  readonly state?: string | null | undefined;
  /** Whether requests are not logged to the console (default: true). */
  readonly quiet?: boolean | undefined;
}

const workerOptions: NamesOf<WorkerOptions> = {
  ...mountOptions,
  workerUrl: true,
  keep: true,
  handlers: true,
  state: true,
  quiet: true,
};

/**
 * Opens an isolated back office at once, before a page has loaded its history, explanations and generated orders: what needs
 * them throws. `startWorker`, and `createBackOffice` of `backlot`, have them.
 *
 * @throws Problem `missing` if there is no scenario of this name; `invalid` with every issue of a scenario object
 */
export function createBackOffice<Tables = unknown>(
  options?: MountOptions & TypedOptions<Tables>,
): WithTables<MountedBackOffice, Tables> {
  return mount({ open: openInPage, loadHttp: () => http }, options);
}

/** A back office in the page, which answers the requests of the page. */
export interface WorkerBackOffice extends MountedBackOffice {
  /** Resolves at once: `startWorker` has loaded everything. */
  loaded(): Promise<void>;
  /** What the option `state` opened: the id and the address of an order, and the step that it awaits. */
  readonly opened: OpenedView | undefined;
  /** Resolves when the state after all earlier requests is saved; immediately without `keep`. */
  saved(): Promise<void>;
  /**
   * Shows the studio in a frame at the bottom of the page. Remove the frame to close it.
   *
   * @returns the frame, which can be moved and styled
   */
  openStudio(): Promise<HTMLIFrameElement>;
  /**
   * Stops the worker. Requests of the page go to the network again. Does nothing if another back office has been started
   * in the page since.
   */
  stop(): Promise<void>;
}

/**
 * Opens a back office in the page and starts the service worker that intercepts the requests of the page.
 *
 * A page has one back office that answers its requests: that of the last start. Starts and stops run one after another,
 * and a start that fails changes nothing. So React's StrictMode and a hot reload of the module that calls this need no
 * care.
 *
 * @throws Error that names what is missing: a secure context, the worker script, or a page in its scope
 * @throws Problem as `createBackOffice`
 */
export async function startWorker<Tables = unknown>(
  options: WorkerOptions & TypedOptions<Tables> = {},
): Promise<WithTables<WorkerBackOffice, Tables>> {
  return withTables(await start(options), options);
}

async function start(options: WorkerOptions): Promise<WorkerBackOffice> {
  assertOptions('startWorker', options, workerOptions);
  const {
    workerUrl = '/mockServiceWorker.js',
    keep: kept = false,
    handlers = [],
    state,
    quiet = true,
    ...rest
  } = options;
  const { baseUrl = '*' } = rest;
  // Counted at once, so that a stop in the same moment keeps the worker.
  return startInTurn(async (page) => {
    await Promise.all([loadParts(), assertSecurePage()]);
    const backOffice = createBackOffice(rest);
    // This one may restore what the previous one saves.
    await page.owner?.saved();
    const saver = kept === false ? undefined : await openSaver(nameOf(kept), backOffice, rest);
    const owner = {
      saved: async () => saver?.saved(),
      release: () => backOffice.releaseAll(),
      close: () => saver?.close(),
    };
    const send = createFetch(backOffice, baseUrl, { run: saver?.runIfOpen });
    let opened: OpenedView | undefined;
    try {
      if (typeof state === 'string') {
        const { openState } = await import('./page/open-state.ts');
        const keptAs = kept === false ? undefined : nameOf(kept);
        opened = await openState(backOffice, send, state, keptAs);
      }
      const all = [
        ...handlers,
        ...catchAll(http, baseUrl, backOffice.shop.api, async ({ request }) =>
          // A page that is opened is one of the app, also at a path that the API has. MSW 2 asks about none.
          request.mode === 'navigate'
            ? undefined
            : answerFetch(backOffice, request, baseUrl, saver?.run),
        ),
      ];
      const until = performance.now();
      await intercept(page, { workerUrl, quiet, handlers: all }, owner);
      if (!page.wasStarted)
        warnOfEarlyRequest((url) => covers(baseUrl, backOffice.shop.api, url), until);
      page.wasStarted = true;
    } catch (error) {
      owner.close();
      throw error;
    }
    return Object.assign(backOffice, {
      fetch: send,
      opened,
      loaded: async () => {},
      saved: owner.saved,
      openStudio: async () =>
        (await import('./page/studio-frame.ts')).openStudio(backOffice, baseUrl),
      stop: () => stopInTurn(owner),
    });
  });
}

async function openSaver(
  name: string,
  backOffice: MountedBackOffice,
  options: MountOptions,
): Promise<StateSaver> {
  const { openStateSaver } = await import('./page/state-saver.ts');
  return openStateSaver(backOffice, name, optionsKey(options));
}

function nameOf(kept: string | true): string {
  return kept === true ? 'common' : kept;
}

/** The options of the page, as text to compare. */
function optionsKey({ scenario, seed, now, settings, today }: MountOptions): string {
  const name = typeof scenario === 'object' ? scenario.name : scenario;
  return JSON.stringify([name, seed, now, settings, ...(today === true ? ['today'] : [])]);
}
