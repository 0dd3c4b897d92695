import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { extendApi, fault, field, resource, step, storeApi } from '../../src/define.ts';
import { openOffice, type Call } from '../support/office.ts';
import { card, put } from '../support/checkout-steps.ts';

type Code = (...given: readonly never[]) => unknown;

const item = { variant: 7, quantity: 1, unitPrice: 500 };
const users = '/api/users/1';

/** Each place of a definition that has code of its users, with a request that runs it. */
const places: Readonly<Record<string, (call: Call) => Promise<{ readonly status: number }>>> = {
  auth: (call) => call(`GET ${users}`),
  'fields.users.tier': (call) => call(`GET ${users}`),
  'resources.notes.fields.size': (call) => call('GET /api/notes/1'),
  'resources.notes.endpoints.POST /:id/copy.handle': (call) => call('POST /api/notes/1/copy', {}),
  'resources.notes.endpoints.POST /all.handle': (call) => call('POST /api/notes/all', {}),
  'rules.item.check': (call) => call('POST /api/orders/107/items/', item),
  'rules.GET /api/zones/.check': (call) => call('GET /api/zones/'),
  'steps.wrapping.check': (call) => put(call, 109, { wrap: true }),
  'steps.wrapping.submit': (call) => put(call, 109, { wrap: true }),
  'on.order.confirmed': (call) => put(call, 88, card),
  'on.order.abandoned': (call) => call('PUT /_backlot/clock', { advance: 'P1D' }),
  'faults.late.apply': (call) => call(`GET ${users}`, undefined, { prefer: 'late=5' }),
};

const none = (): readonly never[] => [];
const nothing = (): void => undefined;

/** A definition with code at every place: that of the test at one of them. */
function definitionWith(code: Readonly<Record<string, Code>>): object {
  const at = (place: string, other: Code): never => (code[place] ?? other) as never;
  return {
    auth: at('auth', () => true),
    fields: { users: { tier: field.computed(at('fields.users.tier', () => 'gold')) } },
    resources: {
      notes: resource({
        singular: 'note',
        fields: {
          text: field.text(),
          size: field.computed(at('resources.notes.fields.size', () => 1)),
        },
        endpoints: {
          'POST /:id/copy': {
            summary: 'Copy a note',
            answer: 'Note',
            handle: at(
              'resources.notes.endpoints.POST /:id/copy.handle',
              ({ record }: { record: object }) => record,
            ),
          },
          'POST /all': {
            summary: 'Read all',
            handle: at('resources.notes.endpoints.POST /all.handle', nothing),
          },
        },
      }),
    },
    rules: {
      item: { check: at('rules.item.check', none) },
      'GET /api/zones/': { check: at('rules.GET /api/zones/.check', none) },
    },
    steps: {
      wrapping: step({
        after: 'shipping',
        optional: true,
        body: { wrap: field.flag() },
        check: at('steps.wrapping.check', none),
        submit: at('steps.wrapping.submit', nothing),
      }),
    },
    on: {
      'order.confirmed': at('on.order.confirmed', nothing),
      'order.abandoned': at('on.order.abandoned', nothing),
    },
    faults: {
      late: fault({
        value: field.integer({ example: 5 }),
        apply: at('faults.late.apply', ({ response }: { response: object }) => response),
      }),
    },
    scenarios: { default: { data: { notes: [{ text: 'First' }] } } },
  };
}

const opened = (code: Readonly<Record<string, Code>>) =>
  openOffice({ api: extendApi(storeApi, definitionWith(code) as never) });

/** The functions of a definition, but for those of schemas. */
function placesIn(part: object, path: readonly string[] = []): string[] {
  return Object.entries(part).flatMap(([name, inner]: [string, unknown]) => {
    if (typeof inner === 'function')
      return [[...path, ...(name === 'compute' ? [] : [name])].join('.')];
    const isSchema = typeof inner !== 'object' || inner === null || '_zod' in inner;
    return isSchema ? [] : placesIn(inner, [...path, name]);
  });
}

test('the places are all that have code of users', () => {
  expect(placesIn(definitionWith({})).toSorted()).toEqual(Object.keys(places).toSorted());
});

/** Fails the test if a promise is rejected that nothing waits for. */
function watchRejections(): () => Promise<void> {
  const rejected = vi.fn<(reason: unknown) => void>();
  process.on('unhandledRejection', rejected);
  onTestFinished(() => void process.off('unhandledRejection', rejected));
  return async () => {
    await setTimeout(5);
    expect(rejected).not.toHaveBeenCalled();
  };
}

const results: Readonly<Record<string, () => unknown>> = {
  'a promise': () => Promise.resolve(true),
  'a rejected promise': () => Promise.reject(new Error('late')),
  // oxlint-disable-next-line unicorn/no-thenable -- what is refused
  'an object with then': () => ({ id: 1, path: [], met: true, status: 200, then: () => undefined }),
  'a list of rejected promises': () => [Promise.reject(new Error('late'))],
};

test.each(Object.keys(places))(
  'what returns a promise at %s is a failure with its place, and ends nothing',
  async (place) => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => print.mockRestore());
    const noRejection = watchRejections();
    const run = places[place]!;
    expect((await run(opened({}).call)).status).toBeLessThan(300);
    for (const [result, code] of Object.entries(results)) {
      const office = opened({ [place]: code });
      print.mockClear();
      expect((await run(office.call)).status, result).toBe(500);
      expect(String(print.mock.calls)).toContain(`${place} of the definition returns a promise`);
      await noRejection();
    }
  },
);

test.each(Object.keys(places))('an async function or a generator at %s is refused', (place) => {
  const all: readonly Code[] = [async () => undefined, function* () {}, async function* () {}];
  for (const code of all)
    expect(() => opened({ [place]: code })).toThrow(
      `${place}: must return its result at once: it cannot be ${code === all[0] ? 'async' : 'a generator'}`,
    );
});

test.each(['yes', 1, 0, '', null, undefined, {}, []])(
  'auth that returns %j lets no request in, and is a failure with its place',
  async (value) => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => print.mockRestore());
    const { call } = opened({ auth: () => value });
    expect((await call('GET /api/orders/1')).status).toBe(500);
    expect(String(print.mock.calls)).toContain('auth of the definition must return true or false');
  },
);

test.each([true, 'wrong', { message: 'x' }, [5], ['wrong']])(
  'a rule that returns %j, which is no list of issues, is a failure with its place',
  async (value) => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => print.mockRestore());
    const { call } = opened({ 'rules.item.check': () => value });
    expect((await call('POST /api/orders/107/items/', item)).status).toBe(500);
    expect(String(print.mock.calls)).toContain('rules.item must return a list of issues and facts');
  },
);

test.each([
  [undefined, 'Expected an object with a status.'],
  [{ status: '200' }, 'status: Expected a status from 200 to 599.'],
  [{ status: 200, text: 5 }, 'text: Expected a text.'],
  [{ status: 200, delay: 'P1D' }, 'delay: Expected milliseconds.'],
  [{ status: 200, headers: { a: 5 } }, 'headers: a: Expected a text.'],
])('a fault that returns %j is a failure that says why', async (value, message) => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => print.mockRestore());
  const { call } = opened({ 'faults.late.apply': () => value });
  expect((await call(`GET ${users}`, undefined, { prefer: 'late=5' })).status).toBe(500);
  expect(String(print.mock.calls)).toContain(`that cannot be sent: ${message}`);
});
