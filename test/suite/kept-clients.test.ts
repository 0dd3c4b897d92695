import { expect, onTestFinished, test, vi } from 'vitest';
import { ClientSeam } from '../../src/suite/client-seam.ts';
import { endpointNames } from '../../src/suite/endpoint-names.ts';
import { nodeContexts } from '../../src/suite/node-contexts.ts';
import { WatchedRun } from '../../src/suite/watched-run.ts';

const todo = { id: 7, title: 'Work' };

/** Watches the clients of this process for a test. */
function watch(run: WatchedRun): ClientSeam {
  const seam = new ClientSeam(() => run, endpointNames(), nodeContexts());
  seam.watch();
  onTestFinished(() => seam.restore());
  return seam;
}

/** Answers each request of the process for a test, as MSW 3 does. */
function define(fetch: typeof globalThis.fetch): void {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'fetch')!;
  const property = { value: fetch, writable: true, enumerable: true, configurable: true };
  Object.defineProperty(globalThis, 'fetch', property);
  onTestFinished(() => void Object.defineProperty(globalThis, 'fetch', before));
}

test('a client that keeps the fetch that MSW has just defined is watched', async () => {
  const run = new WatchedRun();
  watch(run);
  define(async () => Response.json(todo));
  const kept = globalThis.fetch;
  await kept('https://todos.test/todos/7');
  expect(run.plain(undefined).calls).toEqual(['GET /todos/:id']);
});

test('JSON is wrong for a client that decodes the bytes of a response', async () => {
  const mutation = { path: ['title'], mutator: 'text', replacement: 'Wor (wrong)' } as const;
  const run = new WatchedRun({ id: 'text', subject: 'GET /todos/:id 200', mutation });
  watch(run);
  define(async () => Response.json(todo));
  const response = await fetch('https://todos.test/todos/7');
  const text = new TextDecoder().decode(await response.arrayBuffer());
  expect(JSON.parse(text)).toEqual({ id: 7, title: 'Wor (wrong)' });
});

test('a stub counts a call that a fault keeps from it', async () => {
  const call = { endpoint: 'GET /todos/:id', nth: 1 };
  watch(new WatchedRun({ id: 'drop', fault: 'drop', isOutside: true, ...call }));
  const stub = vi.fn<typeof globalThis.fetch>(async () => Response.json(todo));
  define(stub);
  await expect(fetch('https://todos.test/todos/7')).rejects.toThrow('Failed to fetch');
  expect(stub).toHaveBeenCalledTimes(1);
  expect(stub).toHaveBeenCalledWith('https://todos.test/todos/7');
  expect(stub.mock.results).toEqual([]);
});

test('what code logs is known, also if a test spies on the console', async () => {
  const run = new WatchedRun();
  const seam = watch(run);
  const spy = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => spy.mockRestore());
  seam.watch();
  console.error('Cannot load the flags:', new TypeError('Failed to fetch'));
  expect(console.error).toHaveBeenCalledTimes(1);
  expect(run.plain(undefined).logged).toEqual([
    'Cannot load the flags: TypeError: Failed to fetch',
  ]);
});

test('what a test assigns takes the place of a spy that was not restored', () => {
  const run = new WatchedRun();
  const seam = watch(run);
  const { warn } = console;
  onTestFinished(() => {
    console.warn = warn;
  });
  const getter = vi.fn(() => undefined);
  const property = Object.getOwnPropertyDescriptor(console, 'warn')!;
  // So does Jest 29 with the property of a seam.
  Object.defineProperty(console, 'warn', { ...property, get: () => getter });
  seam.watch();
  const assigned = vi.fn();
  console.warn = assigned;
  console.warn('Twice');
  expect(console.warn).toHaveBeenCalledTimes(1);
  expect(assigned).toHaveBeenCalledTimes(1);
  expect(getter).not.toHaveBeenCalled();
  expect(run.evidence.logged).toEqual(['Twice']);
});
