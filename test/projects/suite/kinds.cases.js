/** @jest-environment node */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { readUser } from './users.js';

// Without effect: a flaky test is named.
jest.retryTimes(2);

let runs = 0;
let hooks = 0;

test('waits for ever without an email', async () => {
  const { email } = await readUser(1);
  if (email === undefined) await new Promise(() => {});
});

describe('hooks', () => {
  beforeEach(() => {
    hooks += 1;
  });
  afterEach(() => {
    hooks -= 1;
  });

  test.each([1, 2])('run around each run of user %i', async (id) => {
    const user = await readUser(id);
    expect(user.id).toBe(id);
    expect(hooks).toBe(1);
  });
});

test('is compared with snapshots', async () => {
  const { id, email } = await readUser(1);
  expect({ id }).toMatchSnapshot();
  expect({ email }).toMatchSnapshot();
});

test.concurrent('is concurrent', async () => {
  expect((await readUser(2)).id).toBe(2);
});

test.failing('is known to fail', async () => {
  expect((await readUser(3)).id).toBe(4);
});

test.skip('is skipped', () => {});

test.todo('is to be written');

test('is flaky', () => {
  runs += 1;
  expect(runs).toBe(1);
});

describe('fake timers', () => {
  afterEach(() => jest.useRealTimers());

  test('stand still', async () => {
    const { email } = await readUser(1);
    jest.useFakeTimers();
    expect(email).toMatch('@');
  });
});
