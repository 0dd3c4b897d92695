import { expect, test } from 'vitest';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import { storeApi } from '../../src/shop/store-api.ts';
import { openServer } from '../support/server.ts';
import { faultSchema } from '../../tools/fault-blocks.ts';
import { faultExamples, responsesTo, type FaultExample } from '../../tools/fault-examples.ts';

/** Returns the responses to an example without their headers, of which `Prefer` adds one. */
function outcomes(example: FaultExample, way: 'rule' | 'Prefer') {
  return responsesTo(example, way).map(({ status, body, delay, hold, connection }) => ({
    status,
    body,
    delay,
    hold,
    connection,
  }));
}

test('the page of faults has an example of each field of a rule', () => {
  const { properties = {} } = faultSchema;
  const fields = Object.entries(properties).flatMap(([name, { properties: parts = {} }]) => [
    name,
    ...Object.keys(parts).map((part) => `${name}.${part}`),
  ]);
  expect(fields).toContain('match.step');
  expect(faultExamples.flatMap(({ shows }) => shows)).toEqual(expect.arrayContaining(fields));
});

test('a scenario accepts the rules of the page of faults as they are', () => {
  const faults = faultExamples.map(({ rule }) => rule);
  const { sessions } = openServer();
  const { office } = sessions.sessions.use('ada');
  for (const rule of faults) office.faults.add(rule);
  const scenario = { name: 'faults', description: 'All of them', extends: 'default', faults };
  expect(openStoreOffice({ scenario }).faults.list()).toEqual(office.faults.list());
});

test.each(faultExamples.filter(({ prefer }) => prefer !== undefined))(
  'Prefer: $prefer does what a rule does',
  (example) => {
    expect(outcomes(example, 'Prefer')).toEqual(outcomes(example, 'rule'));
  },
);

test('the page of faults has a header for each kind that a request can ask for', () => {
  const kinds = Object.keys(storeApi.faultKinds);
  const asked = faultExamples.filter(({ prefer }) => prefer !== undefined);
  expect(kinds.filter((kind) => storeApi.faultKinds[kind]!.prefer !== undefined)).toEqual(
    kinds.filter((kind) => asked.some(({ shows }) => shows.includes(kind))),
  );
});
