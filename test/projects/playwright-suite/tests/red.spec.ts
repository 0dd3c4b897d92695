import { expect, test } from 'backlot/playwright';

test('one and one', async ({ office }) => {
  await office.fetch('/api/zones/');
  expect(1 + 1).toBe(3);
});
