import { expect, test } from 'vitest';
import { openBackOffice } from '../../src/office/open-back-office.ts';
import { findScenario } from '../../src/cli/scenarios.ts';

test('the scenario of README starts, with what it says beside what it extends', async () => {
  const { scenario, settings, db } = openBackOffice({
    scenario: await findScenario('test/readme/busy-monday.json'),
  });
  expect(scenario.name).toBe('busy-monday');
  expect(settings).toMatchObject({ cartLifetime: 'P1D', auth: 'oauth2', expiry: 'abandon' });
  expect(db.orders.count()).toBe(10_120);
  expect([db.scriptRules.count(), db.faultRules.count()]).toEqual([1, 1]);
});
