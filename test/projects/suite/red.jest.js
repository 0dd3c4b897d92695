import { expect, test } from '@jest/globals';

test('one and one', () => {
  expect(1 + 1).toBe(3);
});
