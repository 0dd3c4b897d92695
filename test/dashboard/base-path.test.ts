/** @module-tag chromium */
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { openContext, showsText, useBrowser } from '../support/browser.ts';
import { startServer, type Server } from '../support/command.ts';
import { sample } from '../support/runs.ts';

useBrowser();

interface Visit extends Server {
  readonly page: Page;
  /** Violations of the page's policy, failed loads and errors of its script. */
  readonly failures: readonly string[];
}

async function visit(path: string, ...flags: string[]): Promise<Visit> {
  const program = await startServer('--quiet', ...flags);
  const page = await (await openContext()).newPage();
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') failures.push(message.text());
  });
  await page.goto(`${program.url}${path}`);
  return { ...program, page, failures };
}

const places: readonly (readonly [string, string, readonly string[], string, string])[] = [
  ['below a base path', '/', ['--base-path', '/demo'], '/demo', 'default'],
  ['without a slash at its end', '/demo/_backlot', ['--base-path', '/demo'], '/demo', 'shared'],
  [
    'in a session below a base path',
    '/demo/s/ada/_backlot/',
    ['--base-path', '/demo'],
    '/demo/s/ada',
    'session ada',
  ],
  ['in a session', '/s/ada/_backlot/', [], '/s/ada', 'session ada'],
  [
    'below a base path that looks like its own',
    '/_backlot/',
    ['--base-path', '/_backlot'],
    '/_backlot',
    'default',
  ],
];

test.each(sample(places, 2))(
  'the studio %s loads and controls its own shop',
  async (_, path, flags, root, shop) => {
    const { page, call, url, failures } = await visit(path, ...flags);
    // A session that a page names and nobody has begun may be mistyped.
    if (root.endsWith('/s/ada')) await page.getByRole('button', { name: 'Begin it ada' }).click();
    await showsText(page.locator('header'), /2 Mar, 09:00/);
    expect(await page.locator('header').innerText()).toContain(shop);
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByRole('link', { name: '105', exact: true }).click();
    await page.getByRole('button', { name: 'cancel order 105' }).click();
    await expect
      .poll(async () => (await call(`GET ${root}/_backlot/tables/orders/105`)).body.state)
      .toBe('cancelled');
    await page.getByRole('button', { name: new RegExp(shop) }).click();
    expect(await page.locator('#session-panel').innerText()).toContain(`${url}${root}/api`);
    expect(failures).toEqual([]);
  },
);

test.each(sample(['/_backlot/', '/_backlot/docs'], 1))(
  'the style of %s is applied',
  async (path) => {
    const { page, failures } = await visit(path);
    const font = await page.evaluate(() => getComputedStyle(document.documentElement).fontFamily);
    expect(font).toContain('system-ui');
    expect(failures).toEqual([]);
  },
);

test('an inline script, an inline handler and a base element do nothing in the studio', async () => {
  const { page, url, failures } = await visit('/_backlot/');
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.append('document.title = "taken over"');
    const base = Object.assign(document.createElement('base'), { href: 'http://evil.test/' });
    const button = document.createElement('button');
    try {
      button.setAttribute('onclick', 'document.title = "taken over"');
    } catch {
      // Trusted Types forbid even to set it.
    }
    try {
      document.head.append(script, base);
    } catch {
      document.head.append(base);
    }
    document.body.append(button);
    button.click();
  });
  expect(await page.title()).not.toBe('taken over');
  expect(await page.evaluate(() => document.baseURI)).toBe(`${url}/_backlot/`);
  expect(failures.join('\n')).toMatch(/Content Security Policy/);
});

test('a page of another origin cannot frame the studio', async () => {
  const { url } = await visit('/_backlot/');
  const page = await (await openContext()).newPage();
  const told: string[] = [];
  page.on('console', (message) => told.push(message.text()));
  await page.setContent(`<iframe src="${url}/_backlot/"></iframe>`);
  await expect.poll(() => told.join('\n')).toMatch(/frame-ancestors|403/);
});
