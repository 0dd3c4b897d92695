import { expect, expectTypeOf, test } from 'vitest';
import { defineScenario, type ScenarioInput } from '../../src/index.ts';
import { scenarioJsonSchema } from '../../src/engine/scenario/json-schema.ts';
import { Settings } from '../../src/shop/office/scenario.ts';
import { builtInScenarios, storeApi } from '../../src/shop/store-api.ts';
import { openOffice } from '../support/office.ts';
import { files, read } from '../support/tree.ts';

const schema = JSON.parse(read('scenarios/scenario.schema.json'));

test('the published schema is up to date (npm run schema)', () => {
  expect(schema).toEqual(JSON.parse(JSON.stringify(scenarioJsonSchema(storeApi))));
});

test('the schema describes every field and every setting', () => {
  const parts = Object.entries<{ description?: string }>(schema.properties);
  expect(parts.filter(([name, part]) => name !== '$schema' && !part.description)).toEqual([]);
  const settings = Object.entries<{ description?: string }>(schema.properties.settings.properties);
  expect(settings.map(([name]) => name)).toEqual(Object.keys(Settings.shape));
  expect(settings.filter(([, setting]) => !setting.description)).toEqual([]);
});

test('every scenario in the folder is built-in under its name, and refers to the schema', () => {
  const names = files('scenarios').filter((file) => !file.endsWith('.schema.json'));
  expect(names.toSorted()).toEqual(
    builtInScenarios.map((name) => `scenarios/${name}.json`).toSorted(),
  );
  for (const file of names) {
    const { $schema, name } = JSON.parse(read(file));
    expect([$schema, `scenarios/${name}.json`]).toEqual(['./scenario.schema.json', file]);
  }
});

test('the types of a scenario include the fields of every table', () => {
  const scenario = defineScenario({
    name: 'mine',
    description: 'A shop with one user more',
    extends: 'empty',
    settings: { auth: 'none', cartLifetime: 'P1D' },
    data: {
      currencies: [{ id: 1, code: 'EUR' }],
      payment_methods: '../fixtures/payment_methods.json',
    },
    script: [{ on: 'purchase', outcome: 'declined' }],
  });
  expect(scenario.name).toBe('mine');
  type Data = NonNullable<ScenarioInput['data']>;
  type Records<Name extends keyof Data> = Exclude<NonNullable<Data[Name]>, string>[number];
  expectTypeOf<{ code: string }>().toExtend<Records<'currencies'>>();
  expectTypeOf<Records<'orders'>['checkout_state']>().toExtend<string>();
  expectTypeOf<Records<'users'>['created_at']>().toEqualTypeOf<string | undefined>();
  // @ts-expect-error -- no table has such a name
  defineScenario({ name: 'x', description: '', data: { spoons: [] } });
  // @ts-expect-error -- an unknown calculator
  defineScenario({ name: 'x', description: '', settings: { expiry: 'never' } });
});

test('outside of the command line, fixture files are rejected', () => {
  const scenario = defineScenario({ name: 'x', description: '', data: { users: 'users.json' } });
  expect(() => openOffice({ scenario })).toThrow(
    /data\.users: must be a list of records, not the file users\.json/,
  );
});
