/** @module-tag chromium */
import { expect, test } from 'vitest';
import { openContext, useBrowser } from '../support/browser.ts';
import { startServer } from '../support/command.ts';
import { sample } from '../support/runs.ts';

useBrowser();

/** A script that reads an order of its visitor and sends it to the session of an attacker. */
const script = [
  "document.title = 'ran';",
  "fetch('/api/orders/121', { credentials: 'include' })",
  '.then((response) => response.text())',
  ".then((order) => fetch('/s/mallory/api/users/?query=' + encodeURIComponent(order)));",
].join('');
const page = `<title>still</title><p>A page of Mallory</p><script>${script}</script>`;
const svg = `<svg xmlns="http://www.w3.org/2000/svg"><text y="20">A page of Mallory</text><script>${script}</script></svg>`;

const faults = [
  ['text/html', page],
  ['text/html; json', page],
  ['application/json, text/html', page],
  ['image/svg+xml', svg],
] as const;

test.each(sample(faults, 1))(
  'a script in a fault of type %s cannot read an order of a visitor',
  async (type, body) => {
    const { call, url } = await startServer('--demo', '--quiet');
    const match = { path: '/api/channels/:channel_id' };
    const fault = { match, status: 200, headers: { 'content-type': type }, body };
    expect((await call('POST /s/mallory/_backlot/faults', fault)).status).toBe(201);
    const context = await openContext();
    const cart = { channel: 1, user: 1, currency: 'EUR' };
    const made = await context.request.post(`${url}/api/orders/`, { data: cart });
    expect(made.status()).toBe(201);
    const read = await context.request.get(`${url}/api/orders/121`);
    expect(read.status()).toBe(200);

    const visited = await context.newPage();
    const trap = `${url}/s/mallory/api/channels/1`;
    await visited.goto(trap);
    await visited.waitForLoadState('networkidle');
    expect(await visited.title()).not.toBe('ran');
    const framing = await context.newPage();
    await framing.goto(`${url}/_backlot/health`);
    await framing.setContent(`<iframe src="${trap}"></iframe>`);
    await framing.waitForLoadState('networkidle');

    const { entries } = (await call('GET /s/mallory/_backlot/journal')).body;
    const paths = entries.map(({ url: path }: { url: string }) => path);
    expect(new Set(paths)).toEqual(new Set(['/api/channels/1']));
  },
);
