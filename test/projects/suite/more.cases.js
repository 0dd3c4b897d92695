/** @jest-environment node */
import { expect, test } from '@jest/globals';
import { readUser } from './users.js';

test('reads a name', async () => {
  const { lastName } = await readUser(1);
  expect(`${lastName}`).toBeDefined();
});
