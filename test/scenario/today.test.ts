import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtInScenarios } from '../../src/shop/store-api.ts';
import { defineScenario, type ScenarioInput } from '../../src/shop/office/scenario.ts';
import { submitStep } from '../support/checkout-steps.ts';
import { openOffice, type Office } from '../support/office.ts';
import { runs, sample } from '../support/runs.ts';

const week = 7 * 86_400_000;
const start = Date.parse('2026-03-02T09:00:00Z');
const timestamps = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000/g;

function moved(text: string, milliseconds: number): string {
  return text.replaceAll(timestamps, (one) => {
    const time = Date.parse(one.replace('+0000', 'Z')) + milliseconds;
    return `${new Date(time).toISOString().slice(0, 19)}+0000`;
  });
}

function openAt(time: number, scenario: ScenarioInput['extends'] = 'default'): Office {
  const other = scenario as 'default';
  return openOffice({ scenario: other, today: true, currentTime: () => time });
}

function bytes(time: string): string {
  return JSON.stringify(openAt(Date.parse(time)).export());
}

/** A smaller `large`, which has 3,000 orders. */
const generated = defineScenario({
  name: 'generated',
  description: 'Generated orders',
  extends: 'default',
  generate: { orders: 500 },
});

const scenarios = sample([...builtInScenarios.filter((name) => name !== 'large'), generated], 3);

test.each(
  scenarios.map((scenario) => [typeof scenario === 'string' ? scenario : 'large', scenario]),
)(
  'today moves every timestamp of %s by the same whole weeks, and nothing else',
  (_name, scenario) => {
    const original = JSON.stringify(openOffice({ scenario: scenario as 'default' }).export());
    const within = fc.record({
      weeks: fc.integer({ min: -2000, max: 20_000 }),
      later: fc.integer({ min: 0, max: week - 1000 }),
    });
    fc.assert(
      fc.property(within, ({ weeks, later }) => {
        const office = openAt(start + weeks * week + later, scenario as 'default');
        const text = JSON.stringify(office.export());
        expect(text === moved(original, weeks * week)).toBe(true);
        expect(Date.parse(office.clock.now().replace('+0000', 'Z'))).toBe(start + weeks * week);
        // An import checks every record, reference and rule.
        office.import(JSON.parse(text));
        expect(JSON.stringify(office.export()) === text).toBe(true);
      }),
      { numRuns: runs(8) },
    );
  },
);

test('an order of a moved scenario accepts cards that expire in the years from its own', async () => {
  const { call } = openAt(Date.parse('2041-07-03T10:00:00Z'), 'awaiting-purchase');
  const buy = async (expiryYear: number) =>
    (await submitStep(call, 1, 'purchase', { expiryYear })).status;
  expect(await buy(2040)).toBe(400);
  expect(await buy(2041)).toBe(200);
});

test('all times of one week open the same bytes, and the next week others', () => {
  const monday = bytes('2026-11-16T09:00:00Z');
  expect(bytes('2026-11-23T08:59:59Z') === monday).toBe(true);
  expect(bytes('2026-11-16T08:59:59Z') === monday).toBe(false);
  expect(bytes('2026-11-23T09:00:00Z') === monday).toBe(false);
});

test('a reset and a session move the scenario to the week of their time', () => {
  let time = start;
  const office = openOffice({ today: true, currentTime: () => time });
  const first = office.export();
  time += week;
  expect(office.clock.now()).toBe('2026-03-02T09:00:00+0000');
  expect(office.sibling('ada', 'sale').clock.now()).toBe('2026-03-09T09:00:00+0000');
  office.reset();
  expect(office.clock.now()).toBe('2026-03-09T09:00:00+0000');
  office.reset('default', { seed: 2 });
  expect(office.clock.now()).toBe('2026-03-09T09:00:00+0000');
  office.reset('default', { seed: 1, now: '2026-03-02T09:00:00Z' });
  expect(office.export()).toEqual(first);
});

test('today is off by default, and a snapshot keeps its week', () => {
  expect(openOffice().clock.now()).toBe('2026-03-02T09:00:00+0000');
  expect(openOffice({ currentTime: () => start + week }).clock.now()).toBe(
    '2026-03-02T09:00:00+0000',
  );
  let time = start;
  const office = openOffice({ today: true, currentTime: () => time });
  const snapshot = office.snapshot();
  time += week;
  office.reset();
  office.restore(snapshot);
  expect(office.clock.now()).toBe('2026-03-02T09:00:00+0000');
});

test('a current time that is none is rejected', () => {
  for (const time of [Number.NaN, 1e18]) {
    expect(() => openAt(time)).toThrow(/today requires currentTime/);
  }
});
