// Writes the tests that histories export: of a checkout in all its steps, and of what cannot be sent again.
import { writeFileSync } from 'node:fs';
import { createBackOffice } from 'backlot';

const office = createBackOffice({ history: true });

async function send(line, body, headers = { 'content-type': 'application/json' }) {
  const [method, url] = line.split(' ');
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const init = { method, headers, ...(body !== undefined && { body: text }) };
  const response = await office.fetch(url, init).catch(() => undefined);
  return response?.headers.get('content-type')?.includes('json') ? response.json() : undefined;
}

const form = { 'content-type': 'application/x-www-form-urlencoded' };
await send('POST /api/orders/', 'channel=1&user=3&currency=EUR', form);
await send('POST /api/orders/121/items/', { variant: 7, quantity: 2, unitPrice: 500 });
await send('POST /api/orders/121/items/', { variant: 7, quantity: 0 });
for (;;) {
  const { step, request } = await send('GET /_backlot/orders/121/next');
  if (step === 'purchase') {
    await send(`PUT ${request.url}`, { ...request.body, number: '4000000000000002' });
    await send(`PUT ${request.url}`, { ...request.body, number: '4242' });
  }
  if (step === undefined) break;
  await send(`PUT ${request.url}`, request.body);
}
await send('PATCH /api/users/1', { firstName: "O'Brien", plainPassword: 'open-sesame' });
await send('DELETE /api/users/22');
await send('GET /api/orders/?page=2');
writeFileSync('checkout.test.ts', office.history.export({ as: 'vitest' }));

const first = office.history.entries().at(-1).id + 1;
office.clock.advance('P1D');
await send('POST /_backlot/given/anOrder', { at: 'payment' });
office.snapshot('before');
office.faults.add({ status: 503, first: 1 });
office.faults.add({ connection: 'drop', first: 1 });
for (let time = 0; time < 3; time++) await send('GET /api/users/1');
await send('POST /api/orders/', { channel: 1, user: 1, currency: 'EUR' });
office.restore('before');
office.db.currencies.clear();
await send('POST /api/orders/', { channel: 1, user: 1, currency: 'EUR' });
office.reset('filled-cart');
await send('DELETE /api/orders/1');
await send('POST /oauth/v2/token', { grant_type: 'password' });
writeFileSync('others.test.ts', office.history.export({ as: 'vitest', from: first }));
writeFileSync(
  'one.test.ts',
  office.history.export({ as: 'vitest', from: first - 2, to: first - 2 }),
);

const guarded = createBackOffice({ history: true, scenario: 'authenticated' });
const login = {
  grant_type: 'password',
  client_id: 'demo_client',
  client_secret: 'secret_demo_client',
  username: 'api@example.com',
  password: 'api',
};
const { access_token: token } = await guarded
  .fetch('/oauth/v2/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(login),
  })
  .then((response) => response.json());
if (token === undefined) throw new Error('There is no token.');
await guarded.fetch('/api/orders/1');
await guarded.fetch('/api/orders/1', { headers: { authorization: `Bearer ${token}` } });
writeFileSync('guarded.test.ts', guarded.history.export({ as: 'vitest' }));
