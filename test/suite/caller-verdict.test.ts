import assert from 'node:assert';
import { expect, test } from 'vitest';
import { callerVerdict, isFailureExpected } from '../../src/suite/caller-verdict.ts';
import { thrownErrorOf } from '../../src/suite/thrown-error.ts';
import type { PlainRun } from '../../src/suite/trials.ts';
import type { RunEnd } from '../../src/suite/verdicts.ts';
import { WatchedRun } from '../../src/suite/watched-run.ts';

const plain: PlainRun = {
  calls: ['GET /user'],
  outside: ['GET /user'],
  statuses: [200],
  read: ['GET /user'],
  uncaught: [],
  logged: [],
  showsError: false,
  hasExpectations: false,
  shown: undefined,
  writes: {},
};

/** Returns a run whose request has failed. */
function failedRun(): WatchedRun {
  const call = { endpoint: 'GET /user', nth: 1 };
  const run = new WatchedRun({ id: 'one', fault: 'drop', isOutside: true, ...call });
  run.sendFromClient({ ...call, method: 'GET', url: '/user' });
  return run;
}

/** Returns the verdict on a test that throws. */
async function verdictOn(body: () => unknown): Promise<string> {
  let end: RunEnd = { texts: undefined, error: undefined };
  try {
    await body();
  } catch (error) {
    const thrown = thrownErrorOf(error);
    end = { texts: undefined, error: thrown.message, thrown };
  }
  const { tone, reason } = callerVerdict(failedRun(), end, plain);
  return `${tone}: ${reason}`;
}

/** Throws what Jest throws: only its message, and for some matchers the value. */
function throwAsJest(message: string, matcherResult?: { readonly actual: unknown }): never {
  throw Object.assign(new Error(message), { matcherResult });
}

class HttpError extends Error {
  readonly status = 500;
}
const error = new HttpError('Service Unavailable');

test.each([
  ['an object', () => expect({ data: null, error: { code: 1 } }).toEqual({ data: 1, error: null })],
  ['a part of one', () => expect({ error: { code: 1 }, data: null }).toHaveProperty('data.id', 1)],
  ['a list', () => expect([{ id: 1 }, { isError: true }]).toEqual([])],
  ['the value of error', () => expect({ code: '42', message: 'Failed' }).toBeNull()],
  ['a text', () => expect('Service Unavailable').toBe('Ada')],
  ['an object for assert', () => assert.deepEqual({ data: null, errors: [1] }, { data: 1 })],
  [
    'an object of Jest',
    () => throwAsJest('expect(received).toEqual(expected)', { actual: { error } }),
  ],
  [
    'an object as Jest prints it',
    () =>
      throwAsJest(
        'expect(received).toHaveProperty(path)\n\nReceived value: {"data": null, "error": {"code": 1}}',
      ),
  ],
])('a caller that returns an error in %s says what happened', async (_, body) => {
  expect(await verdictOn(body)).toMatch(/^green: The caller returns an error: /);
});

test.each([
  ['undefined', () => expect(undefined).toBe('Ada')],
  ['null', () => expect({ data: null, error: null }).toHaveProperty('data.id', 1)],
  ['false', () => expect(false).toBe(true)],
  ['a length of undefined', () => expect(undefined).toHaveLength(1)],
  ['an undefined number', () => expect(undefined).toBeGreaterThan(1)],
  ['undefined for assert', () => assert.equal(undefined, 'Ada')],
  [
    'undefined of Jest',
    () =>
      throwAsJest(
        'expect(received).toBe(expected) // Object.is equality\n\nExpected: 1\nReceived: undefined',
      ),
  ],
])('nobody can say what a caller does from %s', async (_, body) => {
  expect(await verdictOn(body)).toMatch(
    /^grey: The assertion does not tell an error from a wrong value: /,
  );
});

test.each([
  ['an empty text', () => expect('').toBe('Ada')],
  ['an empty list', () => expect([]).toHaveLength(1)],
  [
    'an object without an error',
    () => expect({ data: [], error: null }).toEqual({ data: [1], error: null }),
  ],
  ['a number of Jest', () => throwAsJest('expect(received).toBe(expected)', { actual: 0 })],
])('a caller that returns %s returns a wrong value', async (_, body) => {
  expect(await verdictOn(body)).toMatch(/^red: The caller returns a wrong value: /);
});

test.each([
  ['by a property', () => expect(error).toHaveProperty('status', 304)],
  ['by a part', () => expect(Promise.reject(error)).rejects.toMatchObject({ status: 304 })],
  ['by its class', () => expect(Promise.reject(error)).rejects.toBeInstanceOf(RangeError)],
  ['by its message', () => expect(Promise.reject(error)).rejects.toThrow('aborted')],
  ['that is none', () => expect(Promise.reject(error)).resolves.toBe(1)],
  ['by assert', () => assert.rejects(Promise.reject(error), { name: 'AbortError' })],
  [
    'by Jest',
    () =>
      throwAsJest(
        'expect(received).rejects.toThrow(expected)\n\nExpected substring: "aborted"\nReceived message:   "Service Unavailable"\n\n      at f',
      ),
  ],
])('an error that an assertion expects %s is judged as one that is thrown', async (_, body) => {
  expect(await verdictOn(body)).toMatch(
    /^green: The caller throws \w*Error: Service Unavailable\.$/,
  );
});

test('an error by mistake that an assertion receives is wrong', async () => {
  expect(
    await verdictOn(() => expect(new TypeError('x is undefined')).toHaveProperty('status', 304)),
  ).toBe('red: The caller throws TypeError: x is undefined.');
});

test('an error by mistake of the test itself judges nothing', async () => {
  const calls: string[][] = [];
  expect(await verdictOn(() => calls[0]![1])).toMatch(/^grey: The test itself throws TypeError: /);
  expect(await verdictOn(() => JSON.parse('{'))).toMatch(/^grey: The test itself throws Syntax/);
});

test('a caller that goes on after a fault is told from one that waits for ever', () => {
  const end = { texts: undefined, error: 'Test timed out in 5000ms.' };
  const run = failedRun();
  expect(callerVerdict(run, end, plain)).toEqual({
    tone: 'red',
    reason: 'The caller waits for ever.',
  });
  run.sendFromClient({ endpoint: 'POST /orders', method: 'POST', url: '/orders' });
  expect(callerVerdict(run, end, plain)).toEqual({
    tone: 'red',
    reason: 'The caller goes on, and waits for POST /orders, which nobody answers then.',
  });
});

test('a reason has no document and does not say how values are compared', async () => {
  const message = `expected '' to be 'Ada' // Object.is equality`;
  const page = 'Ignored nodes: comments, script, style\n<html>\n</html>';
  expect(await verdictOn(() => throwAsJest(`${message}\n\n${page}`))).toBe(
    `red: The caller returns a wrong value: expected '' to be 'Ada'.`,
  );
});

test('an error that nobody catches judges nothing if it is there without the fault, or outside of tests', () => {
  const run = failedRun();
  run.evidence.uncaught.push('TypeError: matchMedia is not a function');
  const end = { texts: undefined, error: 'expected undefined to be 1' };
  const reasonWith = (uncaught: string[]) => callerVerdict(run, end, { ...plain, uncaught }).reason;
  expect(reasonWith(['TypeError: matchMedia is not a function'])).not.toMatch(/^Nobody/);
  expect(reasonWith(['matchMedia is not a function.'])).not.toMatch(/^Nobody/);
  const assertion = failedRun();
  assertion.evidence.uncaught.push('JestAssertionError: expect(received).toBe(expected)');
  expect(callerVerdict(assertion, end, plain).reason).not.toMatch(/^Nobody/);
  expect(reasonWith(['Error: Another'])).toBe(
    'Nobody catches TypeError: matchMedia is not a function.',
  );
});

test('a caller that logs an error and throws none is not judged, unless it logs the same without the fault', () => {
  const run = failedRun();
  run.evidence.logged.push('Cannot load the flags: TypeError: Failed to fetch');
  const wrong = { texts: undefined, error: "expected 'off' to be 'on'" };
  const logs = {
    tone: 'grey',
    reason:
      'The caller logs “Cannot load the flags: TypeError: Failed to fetch.”, and throws nothing.',
  };
  expect(callerVerdict(run, wrong, plain)).toEqual(logs);
  expect(callerVerdict(run, { ...wrong, error: undefined }, plain)).toEqual(logs);
  expect(callerVerdict(run, wrong, { ...plain, logged: run.evidence.logged }).tone).toBe('red');
  const parsing = Object.assign(new SyntaxError('Unexpected'), { stack: '' });
  const accident = { ...wrong, error: 'Unexpected', thrown: thrownErrorOf(parsing) };
  expect(callerVerdict(run, accident, plain).tone).toBe('red');
});

test.each([
  ['a status of 304', [304], undefined],
  ['a request that its test aborts', [null], undefined],
  ['a validation error on a page without a word of failure', [400], ['username is taken']],
])('%s is a failure that the test expects', (_, statuses, shown) => {
  const call = { endpoint: 'GET /user', nth: 1 };
  expect(isFailureExpected({ ...plain, statuses, shown }, call)).toBe(true);
  const mended = { ...plain, calls: ['GET /user', 'GET /user'], statuses: [...statuses, 200] };
  expect(isFailureExpected({ ...mended, shown }, call)).toBe(false);
});

test('a failure of another call is expected if the page says that something went wrong', () => {
  const failing = { ...plain, calls: ['GET /user', 'PUT /user'], statuses: [200, 400] };
  const call = { endpoint: 'GET /user', nth: 1 };
  expect(isFailureExpected({ ...failing, shown: ['username is taken'] }, call)).toBe(false);
  expect(isFailureExpected({ ...failing, shown: ['Failed'], showsError: true }, call)).toBe(true);
  expect(isFailureExpected({ ...failing, statuses: [200, null] }, call)).toBe(false);
});
