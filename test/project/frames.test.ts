import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

// In a process of its own, because vitest adds functions to each module.
const { stdout } = spawnSync(process.execPath, ['test/support/request-cost.ts'], {
  encoding: 'utf8',
});

test.each([
  { what: 'a POST of an item reaches its table in', counted: 'frames', most: 13 },
  { what: 'a POST of an item calls', counted: 'functions', most: 239 },
  { what: 'a GET whose response is cached crosses', counted: 'rooms', most: 8 },
])('$what at most $most $counted', ({ counted, most }) => {
  const [, count = ''] = new RegExp(`: (?:.*, )?(\\d+) ${counted}`).exec(stdout) ?? [];
  expect(Number(count)).toBeGreaterThan(most / 2);
  expect(Number(count), stdout).toBeLessThanOrEqual(most);
});
