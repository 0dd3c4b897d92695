import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { clients, showTodos } from './todos.ts';

const { CAREFUL: careful, CLIENT: client = 'fetch' } = process.env;

let todos: { id: number; title: string; priority: string }[] = [];

const server = setupServer(
  http.get('*/api/lists/:list/todos', () => HttpResponse.json(todos)),
  http.post('*/api/lists/:list/todos', async ({ request }) => {
    const { title } = (await request.json()) as { title: string };
    todos.push({ id: todos.length + 1, title, priority: 'low' });
    return HttpResponse.json(todos.at(-1), { status: 201 });
  }),
);

beforeAll(() => server.listen());
beforeEach(() => {
  todos = [{ id: 1, title: 'Work', priority: 'high' }];
});
afterAll(() => server.close());

test('todos are shown, and one can be added', async () => {
  await showTodos(clients[client as 'fetch' | 'axios'], careful === 'yes');
  const titles = (): (string | null)[] =>
    Array.from(document.querySelectorAll('b'), ({ textContent }) => textContent);
  expect(titles()).toEqual(['Work']);
  document.querySelector('button')!.click();
  await vi.waitFor(() => expect(titles()).toEqual(['Work', 'Rest']));
});
