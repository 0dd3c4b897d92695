import { expect, test } from 'vitest';

test('the Express app of the documents answers beside its own routes, with links under its path', async () => {
  process.env.PORT = '4390';
  await import('./own-app.ts');
  const own = await fetch('http://127.0.0.1:4390/hello');
  expect(await own.text()).toBe('from your own app');
  const orders = await fetch('http://127.0.0.1:4390/backend/api/orders/?limit=1');
  expect(await orders.json()).toMatchObject({
    _links: { self: { href: '/backend/api/orders/?page=1&limit=1' } },
  });
});
