import { expect, test, vi } from 'vitest';
import { withFetch } from './lines.js';

test.each(Object.entries(withFetch))('%s', async (_, { todo, line }) => {
  expect(await line(vi.fn(async () => Response.json(todo)))).toContain('Work');
});
