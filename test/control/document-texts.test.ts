import { expect, test } from 'vitest';
import { documentTexts } from '../../src/engine/lib/document-texts.ts';
import { scenarioJsonSchema } from '../../src/engine/scenario/json-schema.ts';
import { defineApi, field, resource } from '../../src/define.ts';
import { documentTexts as storeTexts } from '../../src/shop/document-texts.ts';
import { storeApi } from '../../src/shop/store-api.ts';
import { openOffice } from '../support/office.ts';

const notes = resource({ singular: 'note', fields: { text: field.text() } });
const apis = { store: storeApi, notes: defineApi({ name: 'notes', resources: { notes } }) };

/** Returns the descriptions in the OpenAPI document of an API and in the schema of its scenarios. */
async function descriptionsOf(api: typeof storeApi): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const document = await openOffice({ api }).fetch('/_backlot/openapi.json');
  JSON.parse(
    `[${await document.text()},${JSON.stringify(scenarioJsonSchema(api))}]`,
    (name, value) => {
      if (name === 'description') found.add(value);
      return value;
    },
  );
  return found;
}

test('no two descriptions that an API can replace are equal', () => {
  const texts = Object.values(documentTexts);
  expect(new Set(texts).size).toBe(texts.length);
});

test('the store has its own words in their place, and other APIs have not', async () => {
  const [store, any] = [await descriptionsOf(apis.store), await descriptionsOf(apis.notes)];
  const replaced = Object.values(documentTexts);
  const own = Object.values(storeTexts);
  expect(own).toHaveLength(replaced.length);
  expect(own.filter((text) => !store.has(text))).toEqual([]);
  expect(replaced.filter((text) => store.has(text))).toEqual([]);
  expect(own.filter((text) => any.has(text))).toEqual([]);
  // No endpoint of an API from nothing declines.
  expect(replaced.filter((text) => !any.has(text))).toEqual([documentTexts.declined]);
});
