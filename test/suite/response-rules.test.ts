import { expect, test } from 'vitest';
import { findingText } from '../../src/suite/mutate-text.ts';
import { mutateSuite } from '../../src/suite/mutate.ts';
import { planMutants, subjectsOf, type Mutant } from '../../src/suite/mutant-plan.ts';
import { ResponseRules } from '../../src/suite/response-rules.ts';
import { documentOf } from '../support/api-document.ts';
import { options, read, runner, testRuns } from './fake-suite.ts';

const subject = 'GET /orders/:order 200';

/** Returns the rules of a response by the schemas of its fields. */
function rulesOf(properties: Readonly<Record<string, object>>, required: readonly string[] = []) {
  const schema = { type: 'object', required, properties };
  const responses = { 200: { content: { 'application/json': { schema } } } };
  return new ResponseRules(documentOf({ paths: { '/orders/{order}': { get: { responses } } } }));
}

/** Returns the mutants of a response all of whose fields are read, in their order. */
function plan(body: Readonly<Record<string, unknown>>, rules?: ResponseRules): Mutant[] {
  return planMutants(subjectsOf([testRuns({ subjects: [read(subject, body)] })]), rules);
}

/** Returns how a document has a field wrong, in the order in which it is tried. */
function texts(schema: object, value: unknown, required: readonly string[] = ['field']): string[] {
  return plan({ field: value }, rulesOf({ field: schema }, required)).map(({ text }) => text);
}

test('a member of an enumeration becomes the next one, and one that no code knows yet', () => {
  const schema = { type: 'string', enum: ['open', 'paid'] };
  expect(texts(schema, 'paid')).toEqual([
    'field: "paid" → "open"',
    'field: "paid" → "paid_new"',
    'field: missing',
    'field: "paid" → null',
  ]);
  expect(texts({ enum: ['OPEN'] }, 'OPEN')[0]).toBe('field: "OPEN" → "OPEN_NEW"');
  expect(texts({ enum: ['A_B', 'C'] }, 'A_B')).toContain('field: "A_B" → "A_B_NEW"');
  expect(plan({ field: 'paid' }).map(({ text }) => text)).not.toContain('field: "paid" → "open"');
});

test('what a document allows comes before what it forbids', () => {
  const total = { type: 'integer', minimum: 0 };
  const rules = rulesOf({ total, note: { type: 'string', nullable: true } }, ['total']);
  const planned = plan({ total: 7, note: 'now' }, rules);
  expect(planned.map(({ text, isAllowed }) => `${text} ${isAllowed}`)).toEqual([
    'total: 7 → 8 true',
    'note: "now" → "no (wrong)" true',
    'note: missing true',
    'note: "now" → null true',
    'total: missing false',
    'total: 7 → null false',
  ]);
  expect(plan({ total: 7 }).map(({ isAllowed }) => isAllowed)).toEqual(Array(3).fill(undefined));
});

test('a survivor that a document allows says so', async () => {
  const rules = rulesOf({ note: { type: ['string', 'null'] } }, ['note']);
  const tests = [testRuns({ subjects: [read(subject, { note: 'now' })] })];
  const report = await mutateSuite(runner(tests), { ...options, rules });
  expect(report.results.map(findingText)).toEqual([
    `${subject} note: "now" → "no (wrong)"`,
    `${subject} note: "now" → null, which the document allows`,
    `${subject} note: missing`,
  ]);
});

test.each([
  [{ type: 'integer', maximum: 5 }, 5, 'field: 5 → 4'],
  [{ type: 'integer', maximum: 9 }, 5, 'field: 5 → 6'],
  [{ type: 'string', maxLength: 3 }, 'now', 'field: "now" → "no0"'],
  [{ type: 'string', pattern: '^[A-Z]-\\d$' }, 'A-0', 'field: "A-0" → "A-1"'],
  [{ type: 'string', format: 'email' }, 'me@a.test', 'field: "me@a.test" → "me@a.tes0"'],
  [
    { type: 'string', format: 'uuid' },
    '0b8e1d52-9d5f-4a53-8f5e-2f1f6f1d7d10',
    'field: "0b8e1d52-9d5f-4a53-8f5e-2f1f6f1d7d10" → "0b8e1d52-9d5f-4a53-8f5e-2f1f6f1d7d11"',
  ],
  [{ type: 'string', format: 'ipv4' }, '10.0.0.1', 'field: "10.0.0.1" → "10.0.0.0"'],
])('a wrong value of %j is one that it allows', (schema, value, text) => {
  expect(texts(schema, value)[0]).toBe(text);
});

test('a response that a document does not describe has the mutants that it has without it', () => {
  const other = new ResponseRules(documentOf({ paths: {} }));
  const body = { state: 'open', items: [{ total: 1 }] };
  expect(plan(body, other).map(({ id }) => id)).toEqual(plan(body).map(({ id }) => id));
});
