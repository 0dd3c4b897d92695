import * as z from 'zod';
import type { ApiDefinition, EngineShop } from '../../src/definition/api.ts';
import { defineFaultRules, faultInput } from '../../src/faults/fault-rule.ts';
import { Id, stamps } from '../../src/lib/fields.ts';
import { Problem } from '../../src/lib/problem.ts';
import type { Endpoint } from '../../src/rest/endpoint.ts';
import { definedOnly } from '../../src/definition/records.ts';
import { flag, text } from '../../src/rest/field.ts';
import { form, partialForm } from '../../src/rest/form.ts';
import { page, Page, pageForm } from '../../src/rest/page.ts';
import { recordsFormat } from '../../src/scenario/data.ts';
import { scenarioFormat, settingsFormat } from '../../src/scenario/format.ts';
import type { DatabaseOf } from '../../src/store/database.ts';
import { defineTable } from '../../src/store/table-definition.ts';

const Todo = z.object({ id: Id, title: z.string(), done: z.boolean(), ...stamps });
const tables = {
  todos: defineTable({ name: 'todos', singular: 'todo', schema: Todo }),
  faultRules: defineFaultRules(z.string()),
};
interface TodoContext {
  readonly shop: EngineShop & { readonly db: DatabaseOf<typeof tables> };
}
const endpoint = <Path extends string, Query, Body, Subject, Answer>(
  row: Endpoint<TodoContext, Path, Query, Body, Subject, Answer>,
) => row;

function found({ shop }: TodoContext, id: string) {
  const todo = shop.db.todos.get(Number(id));
  if (todo === undefined) throw new Problem('missing', `There is no todo ${id}.`);
  return todo;
}

const path = '/api/todos/:id';
const fields = { title: text({ min: 2 }), done: flag().optional() };
const example = { url: '/api/todos/1', body: { title: 'Write' } };
const endpoints = [
  endpoint({
    method: 'GET',
    path: '/api/todos/',
    summary: 'List todos',
    query: pageForm({}),
    status: 200,
    answer: Page(Todo),
    errors: [],
    example: { url: '/api/todos/' },
    handle: ({ shop: { db }, query, target }) =>
      page(
        { total: db.todos.count(), slice: (from, limit) => db.todos.page(from, limit) },
        (todo) => todo,
        { query, target, maxLimit: 100 },
      ),
  }),
  endpoint({
    method: 'POST',
    path: '/api/todos/',
    summary: 'Create a todo',
    body: form(fields),
    status: 201,
    answer: Todo,
    errors: ['invalid'],
    example: { ...example, url: '/api/todos/' },
    handle: ({ shop, body: { title, done = false } }) => shop.db.todos.add({ title, done }),
    location: ({ id }) => `/api/todos/${id}`,
  }),
  endpoint({
    method: 'GET',
    path,
    summary: 'Read a todo',
    status: 200,
    answer: Todo,
    errors: ['missing'],
    example: { url: example.url },
    handle: (call) => found(call, call.params.id),
  }),
  endpoint({
    method: 'PATCH',
    path,
    summary: 'Change a todo',
    body: partialForm(fields),
    status: 200,
    answer: Todo,
    errors: ['missing', 'invalid'],
    example,
    subject: (call) => found(call, call.params.id),
    handle: ({ shop, subject, body }) => shop.db.todos.change(subject.id, definedOnly(body)),
  }),
  endpoint({
    method: 'DELETE',
    path,
    summary: 'Delete a todo',
    status: 204,
    answer: undefined,
    errors: ['missing'],
    example: { url: example.url },
    handle: (call) => void call.shop.db.todos.remove(found(call, call.params.id).id),
  }),
];

const settings = settingsFormat({});
const none = {
  page: () => [],
  count: () => 0,
  remove: (id: number) => {
    throw new Problem('missing', `There is no rule ${id}.`);
  },
};
const refuse = (): never => {
  throw new Problem('refused', 'A todo list has no steps.');
};
const base = { description: 'A todo list', now: '2026-03-02T09:00:00+0000' };

/** A second API: the engine knows nothing of it. */
export const todoApi: ApiDefinition = {
  name: 'todo',
  path: '/api',
  tables,
  endpoints,
  settings,
  settingReferences: {},
  scenarioParts: {},
  checks: {},
  steps: [],
  machines: [],
  owned: {},
  scenario: scenarioFormat({
    tables,
    settings,
    name: z.string(),
    data: recordsFormat(tables),
    parts: () => ({}),
    script: z.never(),
    fault: faultInput(tables.faultRules),
  }),
  sources: {
    scenarios: {
      default: {
        ...base,
        name: 'default',
        data: {
          todos: [
            { title: 'Read', done: true },
            { title: 'Write', done: false },
          ],
        },
      },
      empty: { ...base, name: 'empty' },
    },
    fixtures: {},
  },
  script: {
    input: z.object({}),
    rule: z.object({ id: Id }),
    issues: () => [],
    add: refuse,
    replace: refuse,
    rules: () => none,
    restoreCounts() {},
  },
  missingRecords: () => [],
  runDueEvents() {},
  authenticate() {},
};
