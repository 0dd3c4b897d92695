import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { MountOptions } from '../../src/index.ts';
import { Settings, type SettingsInput } from '../../src/scenario/settings.ts';
import { builtInScenarios } from '../../src/scenario/built-in.ts';
import { openOffice, type Office } from '../support/office.ts';

const card = {
  type: 'visa',
  cardholderName: 'Orla Kavanagh',
  number: '4242424242424242',
  securityCode: '123',
  expiryMonth: 12,
};

const address = {
  firstName: 'Orla',
  lastName: 'Kavanagh',
  street: '18 Shop Street',
  city: 'Galway',
  postcode: 'H91 K2DC',
  country: 1,
};

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

/** Every setting with the values that it is tried with: all choices there are, and extremes of numbers and durations. */
const settings = Object.entries(Settings.shape).map(([name, schema]) => ({
  name,
  values: extremes.filter((value) => schema.safeParse(value).success && !isNoZone(name, value)),
}));

const everyValue: readonly SettingsInput[] = settings.flatMap(({ name, values }) =>
  values.map((value) => ({ [name]: value })),
);

/** What a JSON schema lets one choose from, anywhere in it. */
function choicesIn(schema: unknown): unknown[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'enum' ? value : key === 'const' ? [value] : choicesIn(value),
  );
}

/** The default shop has some zones. */
function isNoZone(name: string, value: unknown): boolean {
  return name === 'defaultTaxZone' && Number(value) > 2;
}

/** A back office that only its settings can have answer otherwise than usual. */
function openCalm(options: MountOptions): Office {
  return calmed(openOffice(options));
}

function calmed(office: Office): Office {
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

/** The statuses of a page, and of a whole checkout. */
async function statuses(office: Office): Promise<number[]> {
  const headers = await tokenFor(office);
  const send = (line: string, body?: object) => office.call(line, body, headers);
  const page = await send('GET /api/orders/?limit=5');
  const cart = { channel: 1, user: 4, currency: 'EUR' };
  const { status, body } = await send('POST /api/orders/', cart);
  if (status !== 201) return [page.status, status];
  const steps = [
    { shippingAddress: address },
    { shipments: [{ method: 1 }] },
    { paymentMethod: 1 },
    undefined,
    { ...card, expiryYear: Number(office.clock.now().slice(0, 4)) + 1 },
  ];
  const item = { variant: 1, quantity: 1, unitPrice: 1290 };
  const answers = [await send(`POST /api/orders/${body.id}/items/`, item)];
  for (const step of steps) answers.push(await send(`PUT /api/checkouts/${body.id}`, step));
  return [page.status, status, ...answers.map((answer) => answer.status)];
}

/** A body of nothing is the only one that may be too large. */
function expected({ settings: { maxBodyBytes } }: Office): number[] {
  return maxBodyBytes < 100 ? [200, 413] : [200, 201, 201, 200, 200, 200, 200, 200];
}

async function work(options: MountOptions): Promise<Office> {
  const office = openCalm(options);
  expect(await statuses(office), JSON.stringify(options)).toEqual(expected(office));
  return office;
}

const quick = builtInScenarios.filter((name) => name !== 'large');

test.each(quick)(
  '%s opens, works and begins again with every value of every setting',
  async (scenario) => {
    for (const changes of everyValue) {
      const office = await work({ scenario, settings: changes });
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

const moment = fc
  .date({ min: new Date('1950-01-01'), max: new Date('8950-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

test('settings in any combination open any scenario at any seed and moment, and outlast a reset and an import', async () => {
  const options = fc.record(
    {
      scenario: fc.constantFrom(...quick),
      settings: combination,
      seed: fc.nat(3),
      now: fc.oneof(moment, fc.constant('2026-03-02T09:00:00Z')),
    },
    { requiredKeys: ['scenario', 'settings'] },
  );
  await fc.assert(
    fc.asyncProperty(options, combination, async (one, other) => {
      const office = openCalm(one);
      const begun = JSON.stringify(office.export().tables);
      expect(await statuses(office)).toEqual(expected(office));
      const exported = JSON.stringify(office.export());
      office.import(JSON.parse(exported));
      expect(JSON.stringify(office.export())).toBe(exported);
      office.reset(undefined, { settings: other });
      expect(office.settings).toEqual(openOffice({ ...one, settings: other }).settings);
      office.reset(undefined, { settings: one.settings });
      calmed(office);
      expect(JSON.stringify(office.export().tables)).toBe(begun);
    }),
    { numRuns: 40 },
  );
}, 120_000);
