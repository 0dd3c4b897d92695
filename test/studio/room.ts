import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { createHttpServer } from '../../src/adapters/http/server.ts';
import type { BackOffice } from '../../src/office/back-office.ts';
import { openBackOffice } from '../../src/office/open-back-office.ts';
import { openSessions } from '../../src/sessions/server.ts';
import { chromiumLaunch } from '../support/chromium.ts';
import { caller, type Call } from '../support/office.ts';

/** A page of the studio and the back office that it shows. */
export interface RoomVisit {
  readonly page: Page;
  readonly office: BackOffice;
  readonly url: string;
  readonly call: Call;
  /** Returns the number of clicks in the page so far; keys that press a button are none. */
  clicks(): Promise<number>;
}

let browser: Browser;

/** Starts a browser for the tests of a file. Returns the function that opens a page of a new back office. */
export function startRooms(): (
  path: string,
  options?: BrowserContextOptions,
) => Promise<RoomVisit> {
  beforeAll(async () => {
    browser = await chromium.launch(await chromiumLaunch());
  });
  afterAll(() => browser.close());
  return visit;
}

/** The test fails for every error in the page and for everything that its Content-Security-Policy blocks. */
async function visit(path: string, options: BrowserContextOptions = {}): Promise<RoomVisit> {
  const office = openBackOffice({ history: true });
  const server = createHttpServer(openSessions(office)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(String(error)));
  page.on('console', (message) => {
    if (/Content.Security.Policy|Trusted.?(Type|HTML|Script)/i.test(message.text()))
      failures.push(message.text());
  });
  onTestFinished(async () => {
    await context.close();
    server.close();
    server.closeAllConnections();
    expect(failures).toEqual([]);
  });
  await page.addInitScript(() => {
    const counted = globalThis as typeof globalThis & { clicks: number };
    counted.clicks = 0;
    addEventListener('click', ({ detail }) => (counted.clicks += detail > 0 ? 1 : 0), true);
  });
  await page.goto(`${url}${path}`);
  return {
    page,
    office,
    url,
    call: caller((to, init) => fetch(to, init), url),
    clicks: () =>
      page.evaluate(() => (globalThis as typeof globalThis & { clicks: number }).clicks),
  };
}
