import { test } from 'backlot/vitest';
import { expect } from 'vitest';

test('a user that is refused is created', async ({ office }) => {
  const { status } = await office.fetch('/api/users/', { method: 'POST' });
  expect(status).toBe(201);
});
