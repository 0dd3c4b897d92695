import * as graphql from 'graphql';
import { expect, test } from 'vitest';
import { GraphQlJudge } from '../../src/suite/graphql-judge.ts';

const schema = `
  type Query { todo(id: ID!): Todo  todos: [Todo!]!  found: [Found!] }
  type Mutation { add(title: String!): Todo! }
  enum State { OPEN DONE }
  scalar Date
  interface Named { name: String! }
  type Todo { id: ID!  title: String!  state: State  stars: Int  weight: Float  due: Date  owner: User }
  type User implements Named { name: String!  isAdmin: Boolean! }
  type Group implements Named { name: String!  size: Int! }
  union Found = Todo | User
`;

interface Exchange {
  readonly query: string;
  readonly data?: unknown;
  readonly errors?: unknown;
  readonly variables?: unknown;
  readonly status?: number;
}

/** Returns the findings of a response: `data.todo.title is missing, expected String!`. */
function judged({ query, variables, status = 200, ...result }: Exchange): string[] {
  const judge = new GraphQlJudge(graphql, graphql.buildSchema(schema));
  const { subject, faults } = judge.judge({
    method: 'POST',
    url: 'https://todos.test/graphql',
    status,
    body: JSON.stringify(result),
    sent: JSON.stringify({ query, variables }),
  })!;
  expect(subject).toMatch(/^POST \/graphql (query|mutation) \w+ \d+$/);
  return [...faults.map(({ field, text }) => `${field} ${text}`), ...judge.notes];
}

const todo = { id: '1', title: 'Work', state: 'OPEN', stars: 3, weight: 1.5, due: 20, owner: null };

test('data that fits the types of its operation has no findings', () => {
  const query = `query All($with: Boolean!) {
    todo(id: 1) { ...parts name: title owner @include(if: $with) { name } }
    todos { id }
  }
  fragment parts on Todo { id title state stars weight due }`;
  const { owner: _, ...parts } = todo;
  const data = { todo: { ...parts, name: 'Work' }, todos: [] };
  expect(judged({ query, data, variables: { with: false } })).toEqual([]);
});

test('each field that does not fit its type is told', () => {
  const query = '{ todo(id: 1) { id title state stars weight due owner { name isAdmin } } }';
  const data = {
    todo: {
      id: 7,
      title: null,
      state: 'LOST',
      stars: 1.5,
      weight: '1',
      owner: { isAdmin: 'no' },
      nick: 1,
    },
  };
  expect(judged({ query, data })).toEqual([
    'data.todo.id expected ID, received 7',
    'data.todo.title expected String!, received null',
    'data.todo.state expected one of "OPEN", "DONE", received "LOST"',
    'data.todo.stars expected Int, received 1.5',
    'data.todo.weight expected Float, received "1"',
    'data.todo.due is missing, expected Date',
    'data.todo.owner.name is missing, expected String!',
    'data.todo.owner.isAdmin expected Boolean, received "no"',
    'data.todo.nick no such field, received 1',
  ]);
});

test('lists, items and what is in the place of objects are judged', () => {
  const query = 'query { todos { title } todo(id: 1) { title } }';
  const todos = [{ title: 'a' }, { title: 1 }, null];
  expect(judged({ query, data: { todos, todo: 'b' } })).toEqual([
    'data.todos[] expected Todo!, received null',
    'data.todos[].title expected String, received 1',
    'data.todo expected Todo, received "b"',
  ]);
  expect(judged({ query, data: { todos: {}, todo: null } })).toEqual([
    'data.todos expected [Todo!], received {}',
  ]);
});

test('the fields of an abstract type are those of the type that an object names', () => {
  const query = '{ found { __typename ... on Todo { title } ... on User { name } } }';
  const data = {
    found: [
      { __typename: 'Todo', title: 'Work' },
      { __typename: 'User', title: 'Ada' },
    ],
  };
  expect(judged({ query, data })).toEqual([
    'data.found[].name is missing, expected String!',
    'data.found[].title no such field, received "Ada"',
  ]);
  expect(judged({ query, data: { found: [{ title: 'of no type' }] } })).toEqual([]);
});

test('a request that fails has no data, and one without has to say why', () => {
  const query = 'mutation { add(title: "a") { id } }';
  expect(judged({ query, errors: [{ message: 'no' }], data: null })).toEqual([]);
  expect(judged({ query, status: 500 })).toEqual([]);
  expect(judged({ query })).toEqual(['data is missing, expected an object']);
});

test('what cannot be executed is counted, and what is none of GraphQL is of another API', () => {
  const [note] = judged({ query: 'query Broken($id: ID!) { todo(id: $id) { id } }', data: {} });
  expect(note).toBe('1 operation whose text is not sent or cannot be executed: not judged.');
  const judge = new GraphQlJudge(graphql, graphql.buildSchema(schema));
  const response = { method: 'GET', url: 'https://todos.test/todos', status: 200, body: '[]' };
  expect(judge.judge(response)).toBeUndefined();
  const hash = { operationName: 'All', extensions: { persistedQuery: {} } };
  const persisted = { ...response, body: '{"data":{}}', sent: JSON.stringify(hash) };
  expect(judge.judge(persisted)).toEqual({ subject: 'GET /todos All 200', faults: [] });
  expect(judge.notes).toEqual([note]);
});

test('each part of a batch, and an operation in a query string, is judged', () => {
  const judge = new GraphQlJudge(graphql, graphql.buildSchema(schema));
  const url = 'https://todos.test/graphql';
  const operations = ['query A { todos { id } }', 'query B { todo(id: 1) { id } }'];
  const batch = judge.judge({
    method: 'POST',
    url,
    status: 200,
    sent: JSON.stringify(operations.map((query) => ({ query }))),
    body: JSON.stringify([{ data: { todos: [] } }, { data: { todo: { id: 1 } } }]),
  });
  expect(batch?.subject).toBe('POST /graphql query A, query B 200');
  expect(batch?.faults.map(({ field, text }) => `${field} ${text}`)).toEqual([
    '[].data.todo.id expected ID, received 1',
  ]);
  const query = new URLSearchParams({
    query: 'query A($id: ID!) { todo(id: $id) { id } }',
    variables: '{"id":"1"}',
  });
  const body = '{"data":{}}';
  const get = judge.judge({ method: 'GET', url: `${url}?${query}`, status: 200, body });
  expect(get?.faults.map(({ text }) => text)).toEqual(['is missing, expected Todo']);
});
