import { expect, test } from 'vitest';
import { createBackOffice, defineScenario } from '../../src/index.ts';

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
