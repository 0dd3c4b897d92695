/**
 * The examples of `docs/reference.md`, by the title of their section. Pages of the site run them; those of `inNode` run in
 * `npm run test:projects -- docs`.
 */
export const examples: Readonly<Record<string, string>> = {
  createBackOffice: `
import { createBackOffice } from 'backlot/node';

const office = createBackOffice({ scenario: 'sale', seed: 2, settings: { maxLimit: 50 } });
const response = await office.fetch('/api/orders/?limit=1');
response.status;`,

  'A back office': `
import { createBackOffice } from 'backlot/node';

const office = createBackOffice({ history: true });
office.clock.advance('P1D');
office.clock.now();
office.faults.add({ match: { path: '/api/orders/*' }, status: 503, first: 1 });
(await office.fetch('/api/orders/1')).status;
office.reset();
(await office.fetch('/api/orders/1')).status;`,

  given: `
import { createBackOffice } from 'backlot/node';

const { given } = createBackOffice();
const { id: user } = given.aUser({ firstName: 'Grace' });
const { id: variant } = given.aProduct({ price: 2500, stock: 3 }).masterVariant;
const order = given.anOrder({ awaits: 'payment', user, items: [{ variant, quantity: 2 }] });
({ total: order.total, checkout_state: order.checkout_state });`,

  'given.anOrder': `
import { createBackOffice } from 'backlot/node';

const { given } = createBackOffice({ scenario: 'sale' });
const unpaid = given.anOrder({
  awaits: 'purchase',
  currency: 'EUR',
  items: [{ variant: 1, quantity: 3 }],
  shippingAddress: { city: 'Galway', postcode: 'H91 X2Y3' },
});
const declined = given.anOrder({ at: 'completed', card: '4000000000000002' });
[unpaid.checkout_state, declined.payments[0]?.state];`,

  toHaveReceived: `
import { test } from 'backlot/vitest';
import { expect } from 'vitest';

test('a user is read once', async ({ office }) => {
  await fetch('https://shop.test/api/users/3');
  expect(office).toHaveReceived('GET /api/users/:user_id', { times: 1, status: 200 });
});`,

  listen: `
import { createBackOffice } from 'backlot/node';

const office = createBackOffice();
office.listen({ clients: 'fetch', onUnhandledRequest: 'bypass' });
const response = await fetch('https://shop.test/api/users/3');
const { email } = await response.json();
office.close();
email;`,

  'backlot/vitest': `
import { createTest } from 'backlot/vitest';
import { expect } from 'vitest';

const test = createTest({ scenario: 'sale', now: '2026-03-02T09:00:00+0000', trace: 'off' });

test('an unpaid cart expires', async ({ office }) => {
  const { id } = office.given.anOrder({ awaits: 'payment' });
  office.clock.advance('P1D');
  const response = await fetch(\`https://shop.test/api/orders/\${id}\`);
  expect(await response.json()).toMatchObject({ state: 'abandoned' });
});`,

  startWorker: `
import { startWorker } from 'backlot/browser';

const office = await startWorker({ scenario: 'awaiting-payment', keep: false });
const { id } = office.db.orders.all().at(-1)!;
const response = await fetch(\`/api/orders/\${id}\`);
const { checkout_state: state } = await response.json();
state;`,

  createFetchHandler: `
import { createFetchHandler } from 'backlot/fetch';

const mock = createFetchHandler({ basePath: '/mock', sessions: 'required', maxSessions: 10 });
const url = 'http://localhost/mock/api/orders/1';
const nameless = await mock(new Request(url));
const named = await mock(new Request(url, { headers: { 'X-Backlot-Session': 'ada' } }));
[nameless.status, named.status];`,

  Scenarios: `
import { createBackOffice } from 'backlot/node';

const office = createBackOffice({
  scenario: {
    name: 'one-declined-card',
    description: 'A cart, and a card that is declined',
    extends: 'empty',
    now: '2026-03-02T09:00:00+0000',
    settings: { declinedStatus: 402 },
    orders: [
      {
        at: '-PT20M',
        channel: 1,
        user: 1,
        currency: 'EUR',
        items: [{ variant: 1, quantity: 2 }],
        until: 'cart',
      },
    ],
    script: [{ on: 'purchase', outcome: 'declined' }],
  },
});
const response = await office.fetch('/api/orders/1');
const { checkout_state: state } = await response.json();
state;`,

  Settings: `
import { createBackOffice } from 'backlot/node';

const office = createBackOffice({ settings: { maxLimit: 5, unknownParameters: 'ignore' } });
const response = await office.fetch('/api/orders/?limit=100&colour=red');
const { limit } = await response.json();
limit;`,

  Faults: `
import { createBackOffice } from 'backlot/node';

const office = createBackOffice();
office.faults.add({ match: { method: 'GET', path: '/api/orders/:id' }, every: 2, status: 503 });
(await office.fetch('/api/orders/1')).status;
(await office.fetch('/api/orders/1')).status;`,

  Scripts: `
import { createBackOffice } from 'backlot/node';

const office = createBackOffice();
office.script.add({ on: 'purchase', match: { totalFrom: 100_000 }, outcome: 'declined' });
office.script.list();`,

  Prefer: `
import { createBackOffice } from 'backlot/node';

const { fetch: send } = createBackOffice();
const response = await send('/api/orders/1', { headers: { Prefer: 'status=429' } });
[response.status, await response.text()];`,
};

/** As `examples`, for what is of Node.js or of a test runner. */
export const inNode: Readonly<Record<string, string>> = {
  createExpressRouter: `
import { createBackOffice } from 'backlot';
import { createExpressRouter } from 'backlot/express';
import express from 'express';

const app = express();
app.use('/mock', createExpressRouter(createBackOffice(), { allowedHosts: ['shop.test'] }));
const server = app.listen(0, '127.0.0.1', async () => {
  const { port } = server.address() as { port: number };
  const response = await fetch(\`http://127.0.0.1:\${port}/mock/api/orders/1\`);
  console.log(response.status);
  server.close();
});`,

  'backlot/playwright': `
import { expect, test } from 'backlot/playwright';

test.use({ backlot: { scenario: 'empty', now: '2026-03-02T09:00:00Z' } });

test('a new user is listed', async ({ office, request, backlotURL }) => {
  const { id } = await office.given.aUser({ email: 'grace@shop.test' });
  const response = await request.get(\`\${backlotURL}/api/users/\${id}\`);
  expect(await response.json()).toMatchObject({ id, email: 'grace@shop.test' });
  await expect(office).toHaveReceived('GET /api/users/:user_id', { times: 1 });
});`,
};
