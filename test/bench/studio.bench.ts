import { setTimeout } from 'node:timers/promises';
import { chromium, type Browser, type Page } from 'playwright';
import { chromiumLaunch } from '../support/chromium.ts';
import { firstScripts, gzipSize } from '../support/first-scripts.ts';
import { countReceived } from '../support/received.ts';
import { openConnection, type Connection } from './connection.ts';
import { median, type Figure } from './report.ts';
import { startServer, type MeasuredServer } from './servers.ts';

/** The routes that are open while requests are sent. */
const routes =
  '#/home #/activity #/orders #/orders/105 #/data #/data/orders #/time #/rules #/docs'.split(' ');
/** Requests in a second, and the seconds of one measurement: `SECONDS=300 npm run bench -- studio`. */
const rate = 500;
const seconds = Number(process.env['SECONDS'] ?? 10);
const rounds = seconds > 10 ? 1 : 2;

/** What the studio costs: its size, its first paint, and what its pages receive and cost the server. */
export async function studioFigures(): Promise<Figure[]> {
  const server = await startServer('./serve-backlot.ts', ['0', 'history']);
  const browser = await chromium.launch(await chromiumLaunch());
  try {
    return [
      sizeFigure(),
      await paintFigure(browser, server.url),
      await stepFigure(browser, server.url),
      ...(await largeFigures(browser)),
      await idleFigure(browser, server.url),
      ...(await floodFigures(browser, server)),
    ];
  } finally {
    await browser.close();
    server.stop();
  }
}

function sizeFigure(): Figure {
  const script = gzipSize(firstScripts());
  const style = gzipSize(['studio.css']);
  const detail = `${script} script, ${style} style sheet`;
  return { name: 'JS and CSS, gzip', value: script + style, unit: 'B', limit: 38_000, detail };
}

/** Of a page of its own browser context, so that nothing is cached. */
async function paintFigure(browser: Browser, url: string): Promise<Figure> {
  const times: number[] = [];
  for (let round = 0; round < 12; round++) {
    const page = await browser.newPage();
    await page.goto(`${url}/_backlot/`);
    await page.locator('#main .card').first().waitFor();
    times.push(
      await page.evaluate(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity,
      ),
    );
    await page.close();
  }
  const detail = `of ${times.length}, at most ${Math.max(...times).toFixed(0)} ms`;
  return { name: 'first paint', value: median(times), unit: 'ms', limit: 100, detail };
}

/** From the click on a step of an order to the one that comes after it. */
async function stepFigure(browser: Browser, url: string): Promise<Figure> {
  const page = await browser.newPage();
  await page.goto(`${url}/_backlot/#/orders/119`);
  const names = ['Ship to Cork', 'Choose An Post', 'Choose Credit', 'Confirm 54.40', 'Pay 54.40'];
  const times: number[] = [];
  for (const [at, next] of names.slice(1).entries()) {
    const button = page.getByRole('button', { name: names[at] ?? '' });
    times.push(
      await button.evaluate(async (element: HTMLElement, wanted) => {
        const start = performance.now();
        const main = document.querySelector('#main')!;
        element.click();
        await new Promise<void>((resolve) => {
          new MutationObserver((_, observer) => {
            if (!main.textContent.includes(wanted)) return;
            observer.disconnect();
            resolve();
          }).observe(main, { childList: true, subtree: true, characterData: true });
        });
        return performance.now() - start;
      }, next),
    );
  }
  await page.close();
  const detail = times.map(Math.round).join(', ');
  return { name: 'a step is seen after', value: median(times), unit: 'ms', limit: 300, detail };
}

/** With 20,000 orders. */
async function largeFigures(browser: Browser): Promise<Figure[]> {
  const server = await startServer('./serve-backlot.ts', ['20000']);
  const page = await browser.newPage();
  const rows = page.locator('#main tbody tr');
  try {
    await page.goto(`${server.url}/_backlot/#/time`);
    await page.getByText('What comes next').waitFor();
    const start = performance.now();
    await page.getByRole('link', { name: 'Orders', exact: true }).click();
    await rows.nth(20).waitFor();
    const orders = performance.now() - start;
    await page.getByRole('link', { name: 'Data', exact: true }).click();
    await page.getByRole('link', { name: /^orders [\d,]{6,}/ }).click();
    await rows.nth(20).waitFor();
    const paused = await longestPause(page, async () => {
      const filter = page.getByLabel('Filter by email', { exact: true });
      await filter.pressSequentially('no-such@x', { delay: 60 });
      await page.getByText('No record matches.').waitFor();
    });
    const of = 'of 20,000 orders';
    return [
      { name: `Orders opens, ${of}`, value: orders, unit: 'ms', limit: 1000 },
      {
        name: `the page pauses while a filter is typed, ${of}`,
        value: paused,
        unit: 'ms',
        limit: 200,
      },
    ];
  } finally {
    await page.close();
    server.stop();
  }
}

/** Returns the longest time in milliseconds between two frames of the page. */
async function longestPause(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const paused = Object.assign(globalThis, { longest: 0 });
    let last = performance.now();
    const next = () => {
      const now = performance.now();
      paused.longest = Math.max(paused.longest, now - last);
      last = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  await act();
  return page.evaluate('longest');
}

async function idleFigure(browser: Browser, url: string): Promise<Figure> {
  const page = await browser.newPage();
  await page.goto(`${url}/_backlot/`);
  await page.locator('#main .card').first().waitFor();
  await page.waitForTimeout(1000);
  let value = 0;
  page.on('request', () => (value += 1));
  await page.waitForTimeout(3000);
  await page.close();
  return { name: 'requests of an idle page in 3 s', value, unit: 'requests', limit: 0 };
}

/** With pages and without them in turn, so that a slower machine affects both. */
async function floodFigures(browser: Browser, server: MeasuredServer): Promise<Figure[]> {
  const connections = await Promise.all(
    Array.from({ length: 10 }, () => openConnection(server.url)),
  );
  const measure = () => cpuWhile(server, () => sendAll(connections));
  const costs: { readonly with: number; readonly without: number }[] = [];
  const received: number[] = [];
  const grown: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const without = await measure();
    const pages = await Promise.all(routes.map((route) => openPage(browser, server.url, route)));
    await Promise.all(pages.map(({ page }) => page.waitForTimeout(1000)));
    const bytes = pages.map((one) => one.bytes());
    const heaps = await Promise.all(pages.map((one) => one.heap()));
    costs.push({ with: await measure(), without });
    received.push(...pages.map((one, at) => (one.bytes() - bytes[at]!) / seconds));
    const after = await Promise.all(pages.map((one) => one.heap()));
    grown.push(...after.map((heap, at) => (heap - heaps[at]!) / 2 ** 20));
    await Promise.all(pages.map(({ page }) => page.close()));
  }
  for (const connection of connections) connection.close();
  const added = median(costs.map((one) => one.with - one.without));
  return [
    {
      name: `a page at ${rate} requests a second receives at most`,
      value: Math.max(...received),
      unit: 'B/s',
      limit: 20_000,
      detail: byRoute(received, 0),
    },
    {
      name: `heap of a page after ${seconds} s of them, more by at most`,
      value: Math.max(...grown),
      unit: 'MiB',
      limit: 5,
      detail: byRoute(grown, 1),
    },
    {
      name: `CPU of the server for a page at ${rate} requests a second`,
      value: added / routes.length,
      unit: 'ms/s',
      limit: 3,
      detail: costs
        .map((one) => `${one.with.toFixed(1)} over ${one.without.toFixed(1)}`)
        .join(', '),
    },
  ];
}

function byRoute(values: readonly number[], digits: number): string {
  const most = (at: number): number =>
    Math.max(...values.filter((_, one) => one % routes.length === at));
  return routes.map((route, at) => `${route} ${most(at).toFixed(digits)}`).join(', ');
}

interface OpenPage {
  readonly page: Page;
  /** Returns the bytes that it has received. */
  readonly bytes: () => number;
  /** Returns the bytes of its heap that are in use after garbage was collected. */
  readonly heap: () => Promise<number>;
}

async function openPage(browser: Browser, url: string, route: string): Promise<OpenPage> {
  const page = await browser.newPage();
  const bytes = await countReceived(page);
  const session = await page.context().newCDPSession(page);
  const heap = async () => {
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize;
  };
  await page.goto(`${url}/_backlot/${route}`);
  await page.locator('#main .card').first().waitFor();
  return { page, bytes, heap };
}

/** Returns milliseconds of CPU time of the server in a second. */
async function cpuWhile(server: MeasuredServer, work: () => Promise<void>): Promise<number> {
  const before = await server.cpu();
  await work();
  return ((await server.cpu()) - before) / 1000 / seconds;
}

/** Sends the requests at an even pace: mostly reads, and one write in ten. */
async function sendAll(connections: readonly Connection[]): Promise<void> {
  const start = performance.now();
  const end = start + seconds * 1000;
  await Promise.all(
    connections.map(async (connection, first) => {
      for (let at = first; ; at += connections.length) {
        const due = start + (at / rate) * 1000;
        if (due >= end) return;
        const wait = due - performance.now();
        if (wait > 1) await setTimeout(wait);
        await connection.send(requestAt(at));
      }
    }),
  );
}

function requestAt(at: number): Parameters<Connection['send']>[0] {
  // The connections take requests in turn, so each of them writes.
  if (Math.floor(at / 10) % 10 > 0) return { method: 'GET', path: `/api/channels/${1 + (at % 4)}` };
  const body = JSON.stringify({ channel: 1, user: 1, currency: 'EUR' });
  return { method: 'POST', path: '/api/orders/', body };
}
