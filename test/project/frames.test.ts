import { expect, test } from 'vitest';
import { measureCachedGet, measureItemPost } from '../../tools/request-cost.ts';

const maxFrames = 13;
const maxFunctions = 225;
const maxRooms = 8;

test(`a POST of an item over a socket reaches the table in at most ${maxFrames} frames, and calls at most ${maxFunctions} functions`, async () => {
  const { frames, functions } = await measureItemPost();
  expect(frames.at(-1)).toContain('IncomingMessage');
  expect(frames.slice(maxFrames)).toEqual([]);
  expect(functions.slice(maxFunctions)).toEqual([]);
});

test(`a GET whose response is cached crosses at most ${maxRooms} rooms`, async () => {
  const { rooms } = await measureCachedGet();
  expect(rooms).toContain('sessions');
  expect([...rooms].slice(maxRooms)).toEqual([]);
});
