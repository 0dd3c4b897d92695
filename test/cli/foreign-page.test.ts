/** @module-tag chromium */
import { createServer } from 'node:http';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { openContext, useBrowser } from '../support/browser.ts';
import { startServer, type Server } from '../support/command.ts';
import { listen } from '../support/raw-http.ts';

const cart = { channel: 1, user: 1, currency: 'EUR' };

useBrowser();

/** Opens an empty page of another site. */
async function openPage(host: string): Promise<Page> {
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<h1>A page</h1>');
  });
  const { port } = new URL(await listen(site));
  const page = await (await openContext()).newPage();
  await page.goto(`http://${host}:${port}/`);
  return page;
}

/** Starts a server with a changed shop and a journal entry. */
async function startChanged(...flags: string[]): Promise<Server & { readonly order: string }> {
  const program = await startServer('--quiet', ...flags);
  const { body } = await program.call('POST /api/orders/', cart);
  return { ...program, order: `GET /api/orders/${body.id}` };
}

/** Returns the status and the text that a page can read, or the error of `fetch`. */
function fetchIn(page: Page, url: string, init: object = {}): Promise<string> {
  return page.evaluate(
    async ([to, how]) => {
      try {
        const response = await fetch(to, how);
        return `${response.type} ${response.status} ${await response.text()}`;
      } catch (error) {
        return String(error);
      }
    },
    [url, init] as const,
  );
}

/** Posts a form from a page and waits for its response. */
async function postForm(page: Page, action: string, target = '_self'): Promise<void> {
  const answered = page.context().waitForEvent('response', (one) => one.url() === action);
  await page.evaluate(
    ([to, where]) => {
      const form = document.createElement('form');
      Object.assign(form, { method: 'post', action: to, target: where });
      document.body.append(form);
      form.submit();
    },
    [action, target] as const,
  );
  expect((await answered).status()).toBe(403);
}

const failed = 'TypeError: Failed to fetch';

test('a foreign page can neither reset the shop nor read the journal', async () => {
  const { url, call, order } = await startChanged();
  const page = await openPage('evil.example');
  for (const [path, init] of [
    ['/_backlot/reset', { method: 'POST' }],
    ['/_backlot/reset', { method: 'POST', body: new URLSearchParams('seed=2').toString() }],
    ['/_backlot/reset', { method: 'POST', headers: { 'X-Backlot-Session': 'ada' } }],
    ['/_backlot/journal', { method: 'DELETE' }],
    ['/_backlot/journal', {}],
    ['/_backlot/export', { credentials: 'include' }],
    ['/s/ada/_backlot/journal', {}],
  ] as const) {
    expect(await fetchIn(page, `${url}${path}`, init)).toBe(failed);
  }
  const opaque = { method: 'POST', mode: 'no-cors' };
  expect(await fetchIn(page, `${url}/_backlot/reset`, opaque)).toBe('opaque 0 ');
  expect((await call(order)).status).toBe(200);
  const { body } = await call('GET /_backlot/journal');
  expect(body.entries.map((entry: { method: string }) => entry.method)).toEqual(['POST', 'GET']);
});

test('a form of a foreign page is rejected, in a frame too', async () => {
  const { url, call, order } = await startChanged();
  const page = await openPage('evil.example');
  await page.evaluate(() => {
    document.body.innerHTML = '<iframe name="hidden"></iframe>';
  });
  await postForm(page, `${url}/_backlot/reset`, 'hidden');
  await postForm(page, `${url}/s/ada/_backlot/reset`, 'hidden');
  await postForm(page, `${url}/_backlot/reset`);
  expect(await page.innerText('body')).toContain(
    'is not allowed to use the control API. Allow it with --cors-origin http://evil.example:',
  );
  expect((await call(order)).status).toBe(200);
  expect((await call('GET /_backlot/sessions')).body.sessions).toEqual([]);
});

test('a sandboxed frame, which has no origin, is rejected', async () => {
  const { url, call, order } = await startChanged();
  const page = await openPage('evil.example');
  const reset = `fetch('${url}/_backlot/reset', { method: 'POST', mode: 'no-cors' })`;
  const said = await page.evaluate(
    (script) =>
      new Promise((resolve) => {
        addEventListener('message', ({ data }) => resolve(data));
        document.body.innerHTML = `<iframe sandbox="allow-scripts" srcdoc="<script>${script}</script>"></iframe>`;
      }),
    `${reset}.then(({ type }) => parent.postMessage(type, '*'))`,
  );
  expect(said).toBe('opaque');
  expect((await call(order)).status).toBe(200);
});

test('a foreign page can neither embed the studio nor load the journal as a script', async () => {
  const { url } = await startChanged();
  const page = await openPage('evil.example');
  const answered = page.waitForResponse(`${url}/_backlot/`);
  await page.evaluate((to) => {
    document.body.innerHTML = `<iframe src="${to}"></iframe>`;
  }, `${url}/_backlot/`);
  expect((await answered).status()).toBe(403);
  const loaded = await page.evaluate(async (to) => {
    const script = Object.assign(document.createElement('script'), { src: to });
    document.body.append(script);
    return new Promise((resolve) => {
      for (const type of ['load', 'error']) script.addEventListener(type, () => resolve(type));
    });
  }, `${url}/_backlot/journal`);
  expect(loaded).toBe('error');
});

test('a link on a foreign page opens the studio and its docs, and not the journal', async () => {
  const { url } = await startChanged();
  for (const [path, status] of [
    ['/', 200],
    ['/_backlot/docs', 200],
    ['/_backlot/journal', 403],
  ] as const) {
    const page = await openPage('evil.example');
    await page.evaluate((to) => {
      document.body.innerHTML = `<a href="${to}">Look</a>`;
    }, `${url}${path}`);
    const [answer] = await Promise.all([
      page.waitForResponse((one) => one.url().startsWith(url) && one.status() !== 302),
      page.click('a'),
    ]);
    expect(answer.status()).toBe(status);
  }
});

test('a page whose host name resolves to the server is rejected', async () => {
  const { url, call, order } = await startChanged();
  const page = await (await openContext()).newPage();
  const rebound = url.replace('127.0.0.1', 'rebound.example');
  for (const path of ['/', '/_backlot/', '/_backlot/journal', '/api/orders/']) {
    expect((await page.goto(`${rebound}${path}`))?.status()).toBe(403);
  }
  expect(await page.innerText('body')).toContain('Allow it with --allowed-host rebound.example.');
  // All of this is the same origin to the browser.
  const answer = await fetchIn(page, '/_backlot/reset', { method: 'POST' });
  expect(answer).toMatch(/^basic 403 /);
  expect((await call(order)).status).toBe(200);
});

test('the studio works under an allowed host name', async () => {
  const { url, call, order } = await startChanged('--allowed-host', '.shop.example');
  const page = await (await openContext()).newPage();
  await page.goto(`${url.replace('127.0.0.1', 'my.shop.example')}/_backlot/#/time`);
  await page.getByRole('button', { name: 'Reset to' }).click();
  await expect.poll(async () => (await call(order)).status).toBe(404);
});

test('a front end on another port keeps its session by cookie if its origin is named', async () => {
  const page = await openPage('localhost');
  const origin = new URL(page.url()).origin;
  const flags = ['--sessions', 'own', '--cors-origin', origin];
  const { url } = await startServer('--quiet', ...flags);
  const shop = url.replace('127.0.0.1', 'localhost');
  const call = async (path: string, init: object = {}): Promise<unknown> => {
    const answer = await fetchIn(page, `${shop}${path}`, { credentials: 'include', ...init });
    expect(answer).toMatch(/^cors 20[01] /);
    return JSON.parse(answer.replace(/^cors \d+ /, ''));
  };
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(cart);
  const made = await call('/api/orders/', { method: 'POST', headers, body });
  const { id } = made as { id: number };
  expect(await call(`/api/orders/${id}`)).toMatchObject({ id, state: 'cart' });
  expect(await call('/_backlot/journal/count')).toMatchObject({ count: 2 });
  await call('/_backlot/reset', { method: 'POST' });
  const gone = await fetchIn(page, `${shop}/api/orders/${id}`, { credentials: 'include' });
  expect(gone).toMatch(/^cors 404 /);
  const cookies = await page.context().cookies(shop);
  expect(cookies.map(({ name }) => name)).toEqual(['backlot-session']);
});

test('with named origins, a foreign page cannot post a form to the store API', async () => {
  const { url, call } = await startChanged('--cors-origin', 'http://app.example');
  const count = async (): Promise<number> => (await call('GET /_backlot/orders')).body.total;
  const before = await count();
  const page = await openPage('evil.example');
  expect(await fetchIn(page, `${url}/api/orders/`)).toBe(failed);
  await postForm(page, `${url}/api/orders/`);
  expect(await count()).toBe(before);
});
