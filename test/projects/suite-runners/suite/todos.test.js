/**
 * @vitest-environment jsdom
 * @jest-environment jest-fixed-jsdom
 */
import { waitFor } from '@testing-library/dom';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { showTodos } from './pages.js';

let todos = [];

const server = setupServer(
  http.get('https://todos.test/lists/:list/todos', () => HttpResponse.json(todos)),
  http.post('https://todos.test/lists/:list/todos', async ({ request }) => {
    const { title } = await request.json();
    todos.push({ id: 2, title, priority: 'low' });
    return HttpResponse.json(todos.at(-1), { status: 201 });
  }),
);

beforeAll(() => server.listen());
beforeEach(() => {
  todos = [{ id: 1, title: 'Work', priority: 'high' }];
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const titles = () => Array.from(document.querySelectorAll('b'), (one) => one.textContent);

test('a todo is added', async () => {
  await showTodos();
  expect(titles()).toEqual(['Work']);
  document.querySelector('button').click();
  await waitFor(() => expect(titles()).toEqual(['Work', 'Rest']));
});
