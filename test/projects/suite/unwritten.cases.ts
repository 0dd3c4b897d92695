import { test } from 'backlot/vitest';
import { expect } from 'vitest';
import { showOrder } from './page.ts';

test('an order looks as a snapshot that is not written yet', async ({ office }) => {
  const { id } = office.given.anOrder({ awaits: 'payment' });
  await showOrder(id, true);
  expect(document.body).toMatchSnapshot();
});
