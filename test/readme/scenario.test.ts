import { expect, test } from 'vitest';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import { findScenario } from '../../src/cli/scenarios.ts';

test('the scenario of README starts, with what it says beside what it extends', async () => {
  const { scenario, settings, db } = openStoreOffice({
    scenario: await findScenario('test/readme/busy-monday.json'),
  });
  expect(scenario.name).toBe('busy-monday');
  expect(settings).toMatchObject({ cartLifetime: 'P1D', auth: 'oauth2', expiry: 'abandon' });
  const placed = db.orders.countBy('placed');
  expect([placed, db.orders.count() - placed]).toEqual([885, 235]);
  expect([db.scriptRules.count(), db.faultRules.count()]).toEqual([1, 1]);
});
