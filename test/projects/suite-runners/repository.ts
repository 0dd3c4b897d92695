import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

function reader(name: string, endpoint: string): string {
  return `import { lineOf } from '../lib/lines.js';

export async function ${name}() {
  const response = await fetch('https://shop.test/${endpoint}/1');
  const { title, state } = await response.json();
  return lineOf(title, state);
}
`;
}

function testOf(name: string): string {
  return `import { ${name} } from './${name}.js';

globalThis.fetch = async () => new Response('{"title":"Work","state":"open"}');

test('${name} has a title', async () => {
  expect(await ${name}()).toMatch('Work');
});
`;
}

function operation(schema: string): object {
  const content = { 'application/json': { schema: { $ref: schema } } };
  return { get: { responses: { 200: { content } } } };
}

const document = {
  openapi: '3.1.0',
  paths: { '/todos/{id}': operation('todo.json'), '/users/{id}': operation('user.json#/named') },
};

const files = {
  '.gitignore': 'node_modules\n.backlot\n*.report.*\n',
  'README.md': 'A shop, and what is in it',
  'packages/lib/lines.js': "export const lineOf = (...parts) => parts.join(', ');\n",
  'packages/app/package.json': '{"type":"module"}',
  'packages/app/vitest.config.js': 'export default { test: { globals: true } };\n',
  'packages/app/jest.config.js': "export default { testEnvironment: 'node', transform: {} };\n",
  'packages/app/todo.js': reader('todo', 'todos'),
  'packages/app/user.js': reader('user', 'users'),
  'packages/app/todo.test.js': testOf('todo'),
  'packages/app/user.test.js': testOf('user'),
  'packages/app/openapi.json': JSON.stringify(document, null, 2),
  'packages/app/todo.json': '{"type":"object"}',
  'packages/app/user.json': '{"named":{"type":"object"}}',
};

/**
 * Makes a repository in an empty folder, at the first commit of a branch `change`. A package in a folder below its root has two
 * tests, each of an endpoint.
 */
export function makeRepository(top: string): void {
  git(top, 'init', '--quiet', '--initial-branch', 'main');
  write(top, files);
  commit(top);
  git(top, 'checkout', '--quiet', '-b', 'change');
}

/** Writes files by their names. */
export function write(top: string, contents: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(contents)) {
    mkdirSync(dirname(join(top, name)), { recursive: true });
    writeFileSync(join(top, name), content);
  }
}

export function git(folder: string, ...args: readonly string[]): string {
  const user = ['-c', 'user.name=a', '-c', 'user.email=a@shop.test'];
  return execFileSync('git', [...user, ...args], { cwd: folder, encoding: 'utf8' });
}

export function commit(top: string): void {
  git(top, 'add', '--all');
  git(top, 'commit', '--quiet', '--message', `Change it at ${performance.now()}`);
}

const [ofTodo, ofUser] = ['GET /todos/:id 200.json', 'GET /users/:id 200.json'];

/** What branches change, and the responses that are tried then, as the report names them. */
export const branches: Readonly<
  Record<string, { readonly change: (top: string) => void; readonly tried: readonly string[] }>
> = {
  'a component': {
    change: (top) => write(top, { 'packages/app/todo.js': `${reader('todo', 'todos')}\n` }),
    tried: [ofTodo],
  },
  'a path of the document': {
    change: (top) => write(top, { 'packages/app/user.json': '{"named":{"type":"string"}}' }),
    tried: [ofUser],
  },
  'another package': {
    change: (top) => write(top, { 'packages/lib/lines.js': `${files['packages/lib/lines.js']}\n` }),
    tried: [ofTodo, ofUser],
  },
  nothing: { change: () => undefined, tried: [] },
};
