/**
 * @vitest-environment node
 * @jest-environment node
 */
import { lineOf } from './pages.js';

globalThis.fetch = async () => new Response(JSON.stringify({ title: 'Work', done: false }));

const loaded = await lineOf('https://todos.test/loaded/1');

describe('what is called before tests', () => {
  let line;
  let opened = 0;

  beforeAll(async () => {
    opened += 1;
    line = await lineOf('https://todos.test/hooked/1');
  });
  afterAll(() => {
    opened -= 1;
  });

  test('is a line', () => {
    expect(line).toMatch('Work');
    expect(loaded).toMatch('Work');
    expect(opened).toBe(1);
  });
});
