import { test } from 'backlot/vitest';
import { describe, expect } from 'vitest';

const createUser = () =>
  fetch('https://shop.test/api/users/', { method: 'POST', body: new URLSearchParams('email=x') });

test('a user without a name is refused', async ({ office }) => {
  expect((await createUser()).status).toBe(400);
  expect(office.journal.count()).toBe(1);
});

test('a user that is refused is created', async ({ office }) => {
  expect((await createUser()).status).toBe(201);
  expect(office.journal.count()).toBe(1);
});

describe('without traces', () => {
  test.override({ officeOptions: { trace: 'off' } });

  test('a user is not created', async ({ office }) => {
    await createUser();
    expect(office.history.isOn).toBe(true);
  });
});
