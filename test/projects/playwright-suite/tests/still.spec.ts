import { expect, test } from '@playwright/test';

test('one and one', () => {
  expect(1 + 1).toBe(2);
});
