import { expect, test } from 'vitest';

test('a module that starts a worker is imported in Node.js, where a start says where it works', async () => {
  const { startWorker } = await import('../../src/mounts/browser.ts');
  await expect(startWorker()).rejects.toThrow(
    'Failed to start the back office: startWorker must be called in a page, not in Node.js.',
  );
});

test('a module of Storybook is imported in Node.js', async () => {
  expect(await import('../../src/mounts/storybook.ts')).toHaveProperty('backlotLoader');
});
