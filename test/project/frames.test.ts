import { expect, test } from 'vitest';
import { measureItemPost } from '../../tools/request-cost.ts';

const maxFrames = 13;

test(`a POST of an item over a socket reaches the table in at most ${maxFrames} frames`, async () => {
  const { frames } = await measureItemPost();
  expect(frames.at(-1)).toContain('IncomingMessage');
  expect(frames.slice(maxFrames)).toEqual([]);
});
