import { expect, test } from 'backlot/playwright';

test('a user without a name is created', async ({ office, request }) => {
  await request.post('http://127.0.0.1:4517/api/users/', { data: { email: 'x' } });
  const created = { status: 201, timeout: 100 };
  await expect(office).toHaveReceived('POST /api/users/', created);
});
