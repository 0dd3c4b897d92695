import { test } from 'backlot/vitest';
import { expect } from 'vitest';

test('a user that is refused is created', async ({ office }) => {
  const body = new URLSearchParams('email=x');
  expect((await fetch('/api/users/', { method: 'POST', body })).status).toBe(201);
  expect(office.journal.count()).toBe(1);
});

test.describe('without traces', () => {
  test.override({ officeOptions: { trace: 'off' } });

  test('a user is not created', async ({ office }) => {
    expect(office.history.isOn).toBe(true);
  });
});
