import { startWorker } from 'backlot/browser';
import { givenFor, toHaveReceived } from 'backlot/testing';
import { expect, test } from 'vitest';

test('a page that starts the worker has given and the matcher', async () => {
  const office = await startWorker({ scenario: 'empty' });
  const { id } = givenFor(office).anOrder({ awaits: 'confirm' });
  expect((await fetch(`/api/checkouts/${id}`, { method: 'PUT' })).status).toBe(200);
  toHaveReceived(office, 'PUT /api/checkouts/:order_id', { times: 1, status: 200 });
  expect(() => toHaveReceived(office, 'GET /api/orders/')).toThrow('but found none');
  await office.stop();
});
