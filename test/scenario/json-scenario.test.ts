import { expect, test } from 'vitest';
import { createBackOffice, defineScenario } from '../../src/index.ts';

/** Returns what opens a scenario of the test. */
function opened(changes: object): () => unknown {
  const scenario = { name: 'bug', description: '', extends: 'empty', ...changes };
  return () => createBackOffice({ scenario });
}

test('issues of the format, of records and of orders are listed at once', () => {
  const order = { at: '-PT1H', channel: 1, user: 999, currency: 'EUR', items: [], until: 'cart' };
  const locale = { id: 900, code: 'gd_IE' };
  const format = { colour: 'red', settings: { auth: 'maybe' }, script: [{ on: 'nowhere' }] };
  expect(opened({ ...format, orders: [order] })).toThrow(
    /settings\.auth: .*\n.*: Unrecognized key: "colour".*\n(.*\n)*  script\.0\.on: .*\n(.*\n)*  orders\.0\.user: /,
  );
  expect(opened({ ...format, data: { locales: [locale, locale] } })).toThrow(
    /settings\.auth: (.*\n)*  data\.locales: locales: id 900 is taken/,
  );
  expect(
    opened({ settings: { defaultTaxZone: 999 }, data: { locales: [locale, locale] } }),
  ).toThrow(/data\.locales: (.*\n)*  settings\.defaultTaxZone: There is no zone 999/);
  // Orders of records with issues would have issues that follow from these.
  expect(opened({ orders: [order], data: { locales: [locale, locale] } })).not.toThrow(
    'orders.0.user',
  );
});

test('a scenario with the wide types of an imported JSON file is accepted, and validated when it is opened', () => {
  // As TypeScript sees a file: texts are `string`, and objects of one list have the fields of the others.
  const file = {
    name: 'bug',
    description: 'A card is declined',
    extends: 'empty',
    settings: { auth: 'none', declinedStatus: 402 },
    script: [{ on: 'purchase', outcome: 'declined' }],
    faults: [
      { match: { path: '/api/zones' }, status: 503 },
      { match: { step: 'purchase' }, connection: 'drop' },
    ],
  };
  const office = createBackOffice({ scenario: file });
  office.reset(file);
  expect(office.settings.declinedStatus).toBe(402);
  expect(office.faults.list()).toHaveLength(2);
  const wrong = { ...file, script: [{ on: 'purchase', outcome: 'denied' }] };
  expect(() => createBackOffice({ scenario: wrong })).toThrow('outcome');
  // @ts-expect-error -- `defineScenario` takes only what a scenario can have
  expect(defineScenario(wrong)).toBe(wrong);
});
