import { expect } from 'vitest';
import { test } from 'backlot/vitest';

// The first request of the file, before anything else is counted: the report must have the states that it shows.
test('lists orders', async ({ office }) => {
  const response = await office.fetch('/api/orders/?limit=20');
  expect(response.status).toBe(200);
});
