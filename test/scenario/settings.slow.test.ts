import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { MountOptions } from '../../src/index.ts';
import { Settings, type SettingsInput } from '../../src/shop/office/scenario.ts';
import { builtInScenarios } from '../../src/shop/store-api.ts';
import { stepNames, submitStep } from '../support/checkout-steps.ts';
import { openOffice, type Office } from '../support/office.ts';
import { runs, sample } from '../support/runs.ts';

const extremes = [
  false,
  true,
  0,
  1,
  2,
  100_000,
  Number.MAX_SAFE_INTEGER,
  'PT0S',
  'PT1S',
  'PT2H',
  'P1D',
  'P6999Y',
  ...choicesIn(z.toJSONSchema(Settings)),
];

/** Every setting with the values to test: all enum values, and extreme numbers and durations. */
const settings = Object.entries(Settings.shape).map(([name, schema]) => ({
  name,
  values: extremes.filter(
    (value) => schema.safeParse(value).success && !isUnknownZone(name, value),
  ),
}));

const everyValue: readonly SettingsInput[] = settings.flatMap(({ name, values }) =>
  values.map((value) => ({ [name]: value })),
);

/** Returns all enum values in a JSON schema. */
function choicesIn(schema: unknown): unknown[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'enum' ? value : key === 'const' ? [value] : choicesIn(value),
  );
}

/** Whether a value is not the id of a zone of the default shop. */
function isUnknownZone(name: string, value: unknown): boolean {
  return name === 'defaultTaxZone' && Number(value) > 2;
}

/** Opens a back office without script and faults. */
function openWithoutRules(options: MountOptions): Office {
  return withoutRules(openOffice(options));
}

function withoutRules(office: Office): Office {
  office.faults.clear();
  office.script.clear();
  return office;
}

async function tokenFor(office: Office): Promise<Record<string, string>> {
  if (office.settings.auth === 'none') return {};
  const { body } = await office.call(
    `GET /oauth/v2/token?${new URLSearchParams({
      grant_type: 'password',
      client_id: 'demo_client',
      client_secret: 'secret_demo_client',
      username: 'api@example.com',
      password: 'api',
    }).toString()}`,
  );
  return { authorization: `Bearer ${body.access_token}` };
}

/** Returns the statuses of a page and of all checkout steps. */
async function statuses(office: Office): Promise<number[]> {
  const headers = await tokenFor(office);
  const send = (line: string, body?: unknown) => office.call(line, body, headers);
  const page = await send('GET /api/orders/?limit=5');
  const cart = { channel: 1, user: 4, currency: 'EUR' };
  const { status, body } = await send('POST /api/orders/', cart);
  if (status !== 201) return [page.status, status];
  const expiryYear = Number(office.clock.now().slice(0, 4)) + 1;
  const item = { variant: 1, quantity: 1, unitPrice: 1290 };
  const answers = [await send(`POST /api/orders/${body.id}/items/`, item)];
  for (const step of stepNames) {
    const more = step === 'purchase' ? { expiryYear } : undefined;
    answers.push(await submitStep(send, body.id, step, more));
  }
  return [page.status, status, ...answers.map((answer) => answer.status)];
}

/** With a `maxBodyBytes` near 0, only requests without a body succeed. */
function expected({ settings: { maxBodyBytes } }: Office): number[] {
  return maxBodyBytes < 100 ? [200, 413] : [200, 201, 201, 200, 200, 200, 200, 200];
}

async function openAndOrder(options: MountOptions): Promise<Office> {
  const office = openWithoutRules(options);
  expect(await statuses(office), JSON.stringify(options)).toEqual(expected(office));
  return office;
}

const quick = builtInScenarios.filter((name) => name !== 'large');

test.each(sample(quick, 2))(
  '%s opens, serves a checkout and resets with every value of every setting',
  async (scenario) => {
    for (const changes of everyValue) {
      const office = await openAndOrder({ scenario, settings: changes });
      const orders = office.db.orders.count();
      office.reset();
      expect(office.db.orders.count()).toBe(orders - (office.settings.maxBodyBytes < 100 ? 0 : 1));
    }
  },
  120_000,
);

const combination: fc.Arbitrary<SettingsInput> = fc.record(
  Object.fromEntries(settings.map(({ name, values }) => [name, fc.constantFrom(...values)])),
  { requiredKeys: [] },
);

const dateTime = fc
  .date({ min: new Date('1950-01-01'), max: new Date('8950-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

test('any combination of settings opens any scenario with any seed and start time, and survives a reset and an import', async () => {
  const options = fc.record(
    {
      scenario: fc.constantFrom(...quick),
      settings: combination,
      seed: fc.nat(3),
      now: fc.oneof(dateTime, fc.constant('2026-03-02T09:00:00Z')),
    },
    { requiredKeys: ['scenario', 'settings'] },
  );
  await fc.assert(
    fc.asyncProperty(options, combination, async (one, other) => {
      const office = openWithoutRules(one);
      const initial = JSON.stringify(office.export().tables);
      expect(await statuses(office)).toEqual(expected(office));
      const exported = JSON.stringify(office.export());
      office.import(JSON.parse(exported));
      expect(JSON.stringify(office.export())).toBe(exported);
      office.reset(undefined, { settings: other });
      expect(office.settings).toEqual(openOffice({ ...one, settings: other }).settings);
      office.reset(undefined, { settings: one.settings });
      withoutRules(office);
      expect(JSON.stringify(office.export().tables)).toBe(initial);
    }),
    { numRuns: runs(40) },
  );
});
