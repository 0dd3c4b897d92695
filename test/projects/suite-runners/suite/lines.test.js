/**
 * @vitest-environment node
 * @jest-environment node
 */
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { lineOf } from './pages.js';

const todo = { title: 'Work', done: false };
const server = setupServer(http.get('https://todos.test/msw/:id', () => HttpResponse.json(todo)));

let mocked;

beforeAll(() => server.listen());
beforeEach(() => {
  mocked = globalThis.fetch;
});
afterEach(() => {
  globalThis.fetch = mocked;
});
afterAll(() => server.close());

test('a line by MSW', async () => {
  expect(await lineOf('https://todos.test/msw/1')).toMatch('Work');
});

test('a line by an assigned function', async () => {
  globalThis.fetch = async () => new Response(JSON.stringify(todo));
  expect(await lineOf('https://todos.test/assigned/1')).toMatch('Work');
});

test('a line by an object', async () => {
  globalThis.fetch = async () => ({ ok: true, json: async () => todo });
  expect(await lineOf('https://todos.test/object/1')).toMatch('Work');
});
