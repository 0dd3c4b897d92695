import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { ChaosFindings } from '../../src/engine/control/chaos-findings.ts';
import { openSessions } from '../../src/engine/sessions/server.ts';
import { createHttpServer } from '../../src/mounts/server/server.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import type { ScenarioName } from '../../src/shop/office/scenario.ts';

/** A shop after several requests, whose pictures are the same each time. */
export interface PictureShop {
  readonly url: string;
  readonly send: (line: string, body?: object) => Promise<Response>;
  /** Submits the next steps of an order as an app does. */
  readonly submit: (order: number, steps: number, changes?: object) => Promise<void>;
  readonly close: () => void;
}

/** When its requests arrive, a second apart. */
const start = Date.parse('2026-03-02T09:41:00Z');

/** Starts a server whose requests take times that are known. @param chaos findings that it shows (default: none) */
export async function openPictureShop(
  scenario: ScenarioName,
  chaos?: ChaosFindings,
): Promise<PictureShop> {
  let [measured, arrived] = [0, start];
  const office = openStoreOffice({
    scenario,
    history: true,
    milliseconds: () => (measured += 0.4),
    currentTime: () => (arrived += 500),
  });
  const server = createHttpServer(openSessions(office, { chaos })).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const send = (line: string, body?: object): Promise<Response> => {
    const [method = 'GET', path = ''] = line.split(' ');
    const headers = { 'content-type': 'application/json', 'user-agent': 'checkout-web/1.4' };
    return fetch(`${url}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  };
  return {
    url,
    send,
    async submit(order, steps, changes = {}) {
      for (let at = 0; at < steps; at++) {
        const response = await send(`GET /_backlot/orders/${order}/next`);
        const { request } = (await response.json()) as {
          request: { method: string; url: string; body: object };
        };
        await send(`${request.method} ${request.url}`, { ...request.body, ...changes });
      }
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What happened in the shop of the pictures: a checkout that is refused, declined and paid, and a move of the clock. */
export async function playCheckout({ send, submit }: PictureShop): Promise<void> {
  await send('GET /api/orders/119');
  for (let id = 1; id <= 4; id++) await send(`GET /api/channels/${id}`);
  await submit(119, 3);
  await send('PUT /_backlot/clock', { advance: 'PT10M' });
  await submit(119, 1);
  await submit(119, 1, { cardholderName: 'Ada', nickname: 'home' });
  await send('GET /api/order/119');
  await submit(119, 1, { number: '4000000000000002' });
  await submit(119, 1);
  await send('POST /_backlot/faults', {
    match: { method: 'PUT', path: '/api/checkouts/:order_id', step: 'purchase' },
    probability: 0.3,
    status: 503,
  });
}
