import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { createHttpServer } from '../src/adapters/http/server.ts';
import { openBackOffice } from '../src/office/open-back-office.ts';
import { openSessions } from '../src/sessions/server.ts';
import { chromiumLaunch } from '../test/support/chromium.ts';

/** Takes the screenshot of README: the dashboard of a shop after several requests. */
const office = openBackOffice();
const server = createHttpServer(openSessions(office)).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const browser = await chromium.launch(await chromiumLaunch());

await send('POST', '/api/orders/', { channel: 1, user: 3, currency: 'EUR' });
await send('POST', '/api/orders/121/items/', { variant: 7, unitPrice: 1450, quantity: 2 });
await send('PUT', '/api/checkouts/121', { paymentMethod: 1 });
await send('PUT', '/api/checkouts/111');
await send('GET', '/api/promotions');
office.faults.add({ match: { step: 'purchase' }, probability: 0.3, status: 503 });

const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.goto(`${url}/_backlot/`, { waitUntil: 'networkidle' });
await page.screenshot({ path: join(import.meta.dirname, '../docs/dashboard.png') });

await browser.close();
server.close();
server.closeAllConnections();

async function send(method: string, path: string, body?: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await fetch(`${url}${path}`, {
    method,
    ...(body !== undefined && { headers, body: JSON.stringify(body) }),
  });
}
