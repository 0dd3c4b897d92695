import { expect, test } from 'vitest';

test('one and one', () => {
  expect(1 + 1).toBe(2);
});
