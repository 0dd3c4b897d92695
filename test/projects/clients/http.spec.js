import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lineByGraphQl, overHttp } from './lines.js';

const todo = { title: 'Work', done: true };
const server = setupServer(
  http.get('*/msw/:client', () => HttpResponse.json(todo)),
  http.post('*/graphql', () => HttpResponse.json({ data: { todo } })),
);
beforeAll(() => server.listen());
afterAll(() => server.close());

test.each(Object.entries(overHttp))('%s', async (name, lineOf) => {
  const protocol = name === 'http' ? 'http' : 'https';
  expect(await lineOf(`${protocol}://todos.test/msw/${name}`)).toContain('Work');
});

test('graphql-request', async () => {
  expect(await lineByGraphQl()).toContain('Work');
});
