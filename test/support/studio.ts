import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from 'playwright';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { createHttpServer } from '../../src/adapters/http/server.ts';
import {
  openBackOffice,
  type BackOffice,
  type BackOfficeOptions,
} from '../../src/office/open-back-office.ts';
import { openSessions, type SessionOptions } from '../../src/sessions/server.ts';
import { chromiumLaunch } from './chromium.ts';
import { caller, type Call } from './office.ts';

let browser: Browser | undefined;

/** Starts the browser that the tests of a file share. */
export function useBrowser(): void {
  beforeAll(async () => {
    browser = await chromium.launch(await chromiumLaunch());
  });
  afterAll(async () => {
    await browser?.close();
    browser = undefined;
  });
}

export interface Studio {
  readonly page: Page;
  readonly office: BackOffice;
  readonly url: string;
  readonly call: Call;
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
  readonly scenario?: BackOfficeOptions['scenario'];
  readonly settings?: BackOfficeOptions['settings'];
}

export interface StudioOptions extends ServerOptions {
  readonly path?: string;
  readonly context?: BrowserContextOptions;
}

const milliseconds = (): number => performance.now();

/** Starts a server with a history. Tests within a file share a browser. */
export async function startServer({ scenario, settings, ...options }: ServerOptions = {}): Promise<{
  readonly office: BackOffice;
  readonly url: string;
  readonly call: Call;
}> {
  const office = openBackOffice({
    history: true,
    milliseconds,
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
 * Starts a server and opens its page in a browser. The test fails for every error in the page and for everything that its
 * Content-Security-Policy blocks.
 */
export async function openStudio({
  path = '/_backlot/',
  context,
  ...options
}: StudioOptions = {}): Promise<Studio> {
  const server = await startServer(options);
  const page = await visit(`${server.url}${path}`, context);
  return { ...server, ...control(page), declineOrder: () => declineOrder(server.call) };
}

/** Opens a page that must have no errors. */
export async function visit(url: string, context: BrowserContextOptions = {}): Promise<Page> {
  if (browser === undefined) throw new Error('Call useBrowser() in the file of the test');
  const opened = await browser.newContext(context);
  const page = await opened.newPage();
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(String(error)));
  page.on('console', (message) => {
    const isPolicy = /Content.Security.Policy|Trusted.?(Type|HTML|Script)/i.test(message.text());
    if (isPolicy) failures.push(message.text());
  });
  onTestFinished(async () => {
    await opened.close();
    expect(failures).toEqual([]);
  });
  await page.goto(url);
  return page;
}

function control(page: Page): Pick<Studio, 'page' | 'click' | 'clicks' | 'shows'> {
  let clicks = 0;
  return {
    page,
    clicks: () => clicks,
    async click(name, within = page.locator('body')) {
      const named = within.getByRole('button', { name }).or(within.getByRole('link', { name }));
      await named.first().click();
      clicks += 1;
    },
    async shows(text, within = page.locator('body')) {
      await expect.poll(() => within.innerText(), { timeout: 10_000 }).toMatch(text);
    },
  };
}

async function declineOrder(call: Call): Promise<void> {
  for (const step of ['addressing', 'shipping', 'payment', 'confirm', 'purchase']) {
    const { body } = await call('GET /_backlot/orders/119/next');
    expect(body.step).toBe(step);
    const { method, url, body: sent } = body.request;
    const card = step === 'purchase' && { number: '4000000000000002' };
    await call(`${method} ${url}`, { ...sent, ...card });
  }
}
