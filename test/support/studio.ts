import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, Locator, Page } from 'playwright';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createHttpServer } from '../../src/mounts/server/server.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import type { StoreOffice, StoreOptions } from '../../src/shop/office/store-office.ts';
import { openSessions, type SessionOptions } from '../../src/engine/sessions/server.ts';
import { openContext, showsText } from './browser.ts';
import { declinedCard } from './checkout-steps.ts';
import { caller, type Call } from './office.ts';

/**
 * Where the studio is tested, a project of vitest each: as the page of a server, and as the panel of `backlot/devtools` in
 * an app, beside a server (`panel`) or beside `startWorker` (`worker`).
 */
const place = (process.env['STUDIO_IN'] ?? 'page') as 'page' | 'panel' | 'worker';

/** Whether the studio is a page of the server, so that it sends its cookies. */
export const ownsCookies = place === 'page';
/** Whether the studio is that of a server. */
export const hasServer = place !== 'worker';
/** Stands for `test` where there is nothing to test. */
const noTest = Object.assign(() => {}, { each: () => () => {} }) as unknown as typeof test;
/** A test of what only the page of a server has: a URL of its own, sessions by cookie. */
export const testPage = place === 'page' ? test : noTest;
/** A test of what a back office in a page does not have: a network, sessions, a token. */
export const testServer = hasServer ? test : noTest;

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of an app that shows `<backlot-devtools>`: of a server with `?server=…`, else of its own worker. */
    panelHost: string;
  }
}

export interface Studio {
  readonly page: Page;
  /** The back office of the server. Throws if there is none: tests that are run everywhere use `call` and `read`. */
  readonly office: StoreOffice;
  /** The URL of the server, or of the app that has the back office. */
  readonly url: string;
  readonly call: Call;
  /** Reads a path of the control API: `tables/orders/119`. */
  // Each test knows the type of the body.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly read: (path: string) => Promise<any>;
  /** Shows a route, without a click of a pointer: `#/orders/105`. */
  readonly visitRoute: (route: string) => Promise<void>;
  /** Loads the page again, or closes the panel and opens it again. */
  readonly reopen: () => Promise<unknown>;
  /** Waits until the studio shows a route. A panel has no URL, so its section is compared alone. */
  readonly showsRoute: (route: string) => Promise<void>;
  /** Clicks a button or a link by its name, and counts it. */
  readonly click: (name: string | RegExp, within?: Locator) => Promise<void>;
  /** Returns the number of clicks so far. */
  readonly clicks: () => number;
  /** Waits until the page, or a part of it, shows a text. */
  readonly shows: (text: string | RegExp, within?: Locator) => Promise<void>;
  /** Sends the requests of an order from its cart to its purchase, the last of them by a declined card. */
  readonly declineOrder: () => Promise<void>;
}

export interface ServerOptions extends SessionOptions {
  readonly api?: StoreOptions['api'];
  readonly scenario?: StoreOptions['scenario'];
  readonly settings?: StoreOptions['settings'];
}

export interface StudioOptions extends ServerOptions {
  readonly path?: string;
  readonly context?: BrowserContextOptions;
}

const milliseconds = (): number => performance.now();

/** Starts a server with a history. Tests within a file share a browser. */
export async function startServer({
  api,
  scenario,
  settings,
  ...options
}: ServerOptions = {}): Promise<{
  readonly office: StoreOffice;
  readonly url: string;
  readonly call: Call;
}> {
  const office = openStoreOffice({
    history: true,
    milliseconds,
    currentTime: Date.now,
    api,
    ...(scenario !== undefined && { scenario }),
    ...(settings !== undefined && { settings }),
  });
  const server = createHttpServer(openSessions(office, { milliseconds, ...options }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { office, url, call: caller((to, init) => fetch(to, init), url) };
}

/**
 * Opens the studio of a new back office in a browser. The test fails for every error in the page and for everything that
 * its Content-Security-Policy blocks.
 */
export async function openStudio({
  path = '/_backlot/#/activity',
  context,
  ...options
}: StudioOptions = {}): Promise<Studio> {
  const opened = await (place === 'worker' ? openApp : openServed)(path, context, options);
  const { call, page } = opened;
  return {
    ...opened,
    ...control(page),
    read: async (line) => (await call(`GET /_backlot/${line}`)).body,
    visitRoute: (route) => visitRoute(page, route),
    reopen: () => (place === 'page' ? page.reload() : page.evaluate('reopen()')),
    showsRoute: (route) => showsRoute(page, route),
    declineOrder: () => declineOrder(call),
  };
}

type Opened = Pick<Studio, 'page' | 'office' | 'url' | 'call'>;

async function openServed(
  path: string,
  context: BrowserContextOptions | undefined,
  options: ServerOptions,
): Promise<Opened> {
  const server = await startServer(options);
  if (place === 'page') return { ...server, page: await visit(`${server.url}${path}`, context) };
  const [root = '', route = ''] = path.split('/_backlot/');
  const query = new URLSearchParams({ server: `${server.url}${root}` }).toString();
  const page = await visit(`${inject('panelHost')}/?${query}`, context);
  await visitRoute(page, route);
  return { ...server, page };
}

/** Opens an app whose back office is in its page. */
async function openApp(
  path: string,
  context: BrowserContextOptions | undefined,
  { scenario, settings, ...others }: ServerOptions,
): Promise<Opened> {
  expect(others).toEqual({});
  const url = inject('panelHost');
  const query = new URLSearchParams({ options: JSON.stringify({ scenario, settings }) }).toString();
  const page = await visit(`${url}/?${query}`, context);
  await visitRoute(page, path.replace('/_backlot/', ''));
  const call = caller((to, init) => fetchInPage(page, to, init), '');
  return {
    page,
    url,
    call,
    office: officeInPage,
  };
}

const officeInPage = new Proxy<Partial<StoreOffice>>(
  {},
  {
    get() {
      throw new Error('The back office is in the page: use call and read');
    },
  },
) as StoreOffice;

async function fetchInPage(page: Page, url: string, init: RequestInit): Promise<Response> {
  const { status, headers, text } = await page.evaluate(
    async (request) => {
      const response = await fetch(request.url, JSON.parse(request.init) as RequestInit);
      const { status: code, headers: fields } = response;
      return { status: code, headers: [...fields], text: await response.text() };
    },
    { url, init: JSON.stringify(init) },
  );
  return new Response(text === '' ? null : text, { status, headers });
}

async function visitRoute(page: Page, route: string): Promise<void> {
  if (place === 'page') {
    await page.evaluate((hash) => void (location.hash = hash), route);
    return;
  }
  await page.locator('#main').waitFor();
  if (route === '') return;
  // A panel follows links, and leaves the URL to its app.
  await page.locator('.studio').evaluate((element, href) => {
    const link = Object.assign(document.createElement('a'), { href });
    element.append(link);
    link.click();
    link.remove();
  }, route);
}

async function showsRoute(page: Page, route: string): Promise<void> {
  if (place === 'page') {
    await expect.poll(() => new URL(page.url()).hash).toBe(route);
    return;
  }
  const [section = ''] = /^#\/\w+/.exec(route) ?? [];
  await page.locator(`nav a[aria-current][href="${section}"]`).waitFor();
}

/** The element that has the studio. */
export const shownIn = place === 'page' ? 'html' : 'backlot-devtools';

/** Returns the element that scrolls the studio. */
export function scrolled(page: Page): Locator {
  return page.locator(place === 'page' ? 'html' : 'backlot-devtools .frame');
}

/** Whether an element has the focus, also in a shadow root. */
export function isFocused(locator: Locator): Promise<boolean> {
  return locator.evaluate(
    (element) => (element.getRootNode() as Document | ShadowRoot).activeElement === element,
  );
}

/** Opens a page that must have no errors. */
export async function visit(url: string, context: BrowserContextOptions = {}): Promise<Page> {
  const failures: string[] = [];
  onTestFinished(() => expect(failures).toEqual([]));
  const page = await (await openContext(context)).newPage();
  page.on('pageerror', (error) => failures.push(String(error)));
  page.on('console', (message) => {
    const isPolicy = /Content.Security.Policy|Trusted.?(Type|HTML|Script)/i.test(message.text());
    if (isPolicy) failures.push(message.text());
  });
  await page.goto(url);
  return page;
}

function control(page: Page): Pick<Studio, 'page' | 'click' | 'clicks' | 'shows'> {
  let clicks = 0;
  const studio = page.locator(place === 'page' ? 'body' : '.studio');
  return {
    page,
    clicks: () => clicks,
    async click(name, within = studio) {
      const named = within.getByRole('button', { name }).or(within.getByRole('link', { name }));
      await named.first().click();
      clicks += 1;
    },
    shows: (text, within = studio) => showsText(within, text),
  };
}

async function declineOrder(call: Call): Promise<void> {
  for (const step of ['addressing', 'shipping', 'payment', 'confirm', 'purchase']) {
    const { body } = await call('GET /_backlot/orders/119/next');
    expect(body.step).toBe(step);
    const { method, url, body: sent } = body.request;
    const card = step === 'purchase' && { number: declinedCard.number };
    await call(`${method} ${url}`, { ...sent, ...card });
  }
}
