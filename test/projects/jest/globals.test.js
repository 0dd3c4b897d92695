import { expect, test } from '@jest/globals';
import 'backlot/jest';
import { createBackOffice } from 'backlot/node';

test('the matcher is added to expect of @jest/globals', async () => {
  const office = createBackOffice();
  await office.fetch('/api/users/1');
  expect(office).toHaveReceived('GET /api/users/:user_id', { times: 1 });
  await expect(Promise.resolve(office)).resolves.toHaveReceived('GET /api/users/1');
});
