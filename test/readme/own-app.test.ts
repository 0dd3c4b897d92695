import { expect, test } from 'vitest';
import { freePort } from '../support/redis.ts';

test('the Express app of the documents answers beside its own routes, with links under its path', async () => {
  const port = await freePort();
  process.env.PORT = String(port);
  await import('./own-app.ts');
  const own = await fetch(`http://127.0.0.1:${port}/hello`);
  expect(await own.text()).toBe('from your own app');
  const orders = await fetch(`http://127.0.0.1:${port}/backend/api/orders/?limit=1`);
  expect(await orders.json()).toMatchObject({
    _links: { self: { href: '/backend/api/orders/?page=1&limit=1' } },
  });
});
