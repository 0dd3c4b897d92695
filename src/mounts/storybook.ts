import { http } from 'msw';
import type { FaultRuleInput } from '../shop/office/scenario.ts';
import { givenFor, type Given } from '../shop/given/given.ts';
import { loadParts } from '../shop/open-in-page.ts';
import { createBackOffice, startWorker } from './browser.ts';
import { assertOptions, type NamesOf } from '../engine/lib/unknown-keys.ts';
import { answerFetch } from './fetch/fetch.ts';
import { catchAll, type MountedBackOffice, type MountOptions } from './mount.ts';

export type { Given } from '../shop/given/given.ts';
export type { MountedBackOffice } from './mount.ts';

/** The parameter `backlot` of a story, a component or a project: `parameters: { backlot: { scenario: 'empty' } }`. */
export interface BacklotParameters extends Pick<
  MountOptions,
  'api' | 'scenario' | 'seed' | 'now' | 'settings' | 'apiPath'
> {
  /**
   * Sets up the shop of the story: `(given) => given.anOrder({ awaits: 'payment' })`. What it returns is
   * `loaded.backlot.made`.
   */
  readonly given?: ((given: Given, office: StoryBackOffice) => unknown) | undefined;
  /** Faults in addition to those of the scenario: `[{ match: { path: '/api/orders' }, hold: 'orders' }]`. */
  readonly faults?: readonly FaultRuleInput[] | undefined;
  /** The URL of MSW's worker script, relative to `iframe.html` (default: `mockServiceWorker.js`). */
  readonly workerUrl?: string | undefined;
  /** Whether the requests of the story go to the network (default: false). */
  readonly disable?: boolean | undefined;
}

const parameterNames: NamesOf<BacklotParameters> = {
  api: true,
  scenario: true,
  seed: true,
  now: true,
  settings: true,
  apiPath: true,
  given: true,
  faults: true,
  workerUrl: true,
  disable: true,
};

/** The back office of one story: `context.loaded.backlot`. */
export interface StoryBackOffice extends MountedBackOffice {
  readonly given: Given;
  /** The result of the parameter `given`, such as an order with its `id`. */
  readonly made: unknown;
  /**
   * The path of the story's own store API: requests to `${baseUrl}/api/orders` reach this back office from any story of
   * the page, and so do requests to `/api/orders` with the header `X-Backlot-Session: ${name}`.
   */
  readonly baseUrl: string;
  /** Unique among the stories of the page. */
  readonly name: string;
}

/** The properties of Storybook's story context that the loader reads. */
export interface StoryContext {
  readonly id: string;
  readonly viewMode?: string;
  readonly parameters: { readonly backlot?: BacklotParameters | undefined };
  /** Aborts when the story is unmounted. Renders of one mount have the same signal. */
  readonly abortSignal?: AbortSignal;
}

/**
 * A loader for Storybook 9 and 10, which opens a back office each time a story is mounted: `loaders: [backlotLoader]`.
 * A page that shows one story sends all its requests there. On Docs pages, `parameters.docs.story.inline: false` gives
 * each story a page of its own, in a frame.
 *
 * @throws Error as `startWorker`; Problem as `createBackOffice`, and `invalid` for unknown parameters
 */
export async function backlotLoader(
  context: StoryContext,
): Promise<{ readonly backlot?: StoryBackOffice }> {
  const { id, viewMode, abortSignal = new AbortController().signal } = context;
  const { backlot: parameters = {} } = context.parameters;
  assertOptions('parameters.backlot', parameters, parameterNames);
  if (viewMode !== 'docs') closeOthers(abortSignal);
  if (parameters.disable === true) return {};
  await startOnce(parameters);
  const mounted = offices.get(abortSignal) ?? (await mount(id, parameters));
  if (abortSignal.aborted) return { backlot: mounted };
  if (!offices.has(abortSignal)) {
    abortSignal.addEventListener('abort', () => close(abortSignal), { once: true });
    offices.set(abortSignal, mounted);
  }
  return { backlot: mounted };
}

/** The back offices of the mounted stories. */
const offices = new Map<AbortSignal, StoryBackOffice>();

function close(signal: AbortSignal): void {
  offices.get(signal)?.releaseAll();
  offices.delete(signal);
}

/** Closes other stories. Outside of Docs pages, a page shows one story at a time. */
function closeOthers(own: AbortSignal): void {
  for (const signal of offices.keys()) if (signal !== own) close(signal);
}

let mounts = 0;

async function mount(id: string, parameters: BacklotParameters): Promise<StoryBackOffice> {
  const { api, scenario, seed, now, settings, apiPath, given, faults = [] } = parameters;
  mounts += 1;
  const name = `${id}.${mounts}`;
  await loadParts();
  const opened = createBackOffice({ api, scenario, seed, now, settings, apiPath });
  const office: StoryBackOffice & { made: unknown } = Object.assign(opened, {
    given: givenFor(opened),
    made: undefined,
    baseUrl: `/s/${encodeURIComponent(name)}`,
    name,
  });
  office.made = await given?.(office.given, office);
  for (const fault of faults) office.faults.add(fault);
  return office;
}

let started: Promise<unknown> | undefined;

/** Starts the service worker of this page. Frames of one Docs page start it one after the other. */
async function startOnce({
  workerUrl = 'mockServiceWorker.js',
  api,
  apiPath,
}: BacklotParameters): Promise<void> {
  const options = { api, scenario: 'empty', apiPath } as const;
  const handlers = catchAll(http, '*', createBackOffice(options).shop.api, ({ request }) =>
    answer(request),
  );
  const start = () => startWorker({ ...options, workerUrl, handlers });
  const { locks }: Partial<Pick<Navigator, 'locks'>> = navigator;
  started ??= locks === undefined ? start() : locks.request('backlot/storybook', start);
  try {
    await started;
  } catch (error) {
    started = undefined;
    throw error;
  }
}

async function answer(request: Request): Promise<Response> {
  const office = officeOf(request);
  if (typeof office !== 'string') return answerFetch(office, request, '*');
  // oxlint-disable-next-line no-console -- a component may show the failed request as an empty list
  console.error(`Backlot: ${office}`);
  return Response.json({ code: 409, message: office }, { status: 409 });
}

/** Returns the back office for a request, or the reason why none is known. */
function officeOf({ method, url, headers }: Request): StoryBackOffice | string {
  const { pathname } = new URL(url);
  const [, inPath] = /\/s\/([^/]+)\//.exec(pathname) ?? [];
  const name = inPath === undefined ? headers.get('x-backlot-session') : decodeURIComponent(inPath);
  const mounted = [...offices.values()];
  if (name !== null) {
    return mounted.find((one) => one.name === name) ?? `Story ${name} is not mounted.`;
  }
  const [only] = mounted;
  if (only !== undefined && mounted.length === 1) return only;
  return `${mounted.length} stories are mounted in this page, so that of ${method} ${pathname} is unknown. ${fix}`;
}

const fix =
  'On Docs pages, show stories in frames (parameters.docs.story.inline: false), or send requests with loaded.backlot.fetch or below loaded.backlot.baseUrl.';
