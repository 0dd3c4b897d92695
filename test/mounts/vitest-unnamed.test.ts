import { beforeEach, expect } from 'vitest';
import { test } from '../../src/mounts/vitest.ts';

const statusOf = async (id: number): Promise<number> =>
  (await fetch(`http://shop.test/api/users/${id}`)).status;

beforeEach(async () => {
  expect(await statusOf(1)).toBe(200);
});

test('a test that does not name the back office has its requests answered', async () => {
  expect(await statusOf(2)).toBe(200);
  await expect(fetch('http://shop.test/elsewhere')).rejects.toThrow();
});

test.each([3, 4])('test.each has the requests of a test answered, for user %i', async (id) => {
  expect(await statusOf(id)).toBe(200);
});

test('a hook that does not name the back office sends its requests to that of its test', async ({
  office,
}) => {
  expect(await statusOf(5)).toBe(200);
  expect(office).toHaveReceived('GET /api/users/:user_id', { times: 2 });
});
