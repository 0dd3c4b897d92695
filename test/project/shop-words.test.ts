import { expect, test } from 'vitest';
import { code, files } from '../support/tree.ts';

/** Words of the store, also as parts of names: `shippingAddress`. */
const word =
  /promotion|coupon|shipment|shipping|checkout|payment(?! Required)|purchase|product(?!\()|(?<!font-)variant|stock|billing|\bcarts?\b|customer|inventory|refund|adjustment|province|country|countries|taxon|\btax|backorder|currency|currencies/gi;

/** How many of them stand in files of the engine still. These numbers may only shrink. */
const left: Readonly<Record<string, number>> = {
  'control/endpoints/history.ts': 4,
  'control/endpoints/journal.ts': 2,
  'control/endpoints/machines.ts': 4,
  'control/endpoints/reset.ts': 4,
  'control/endpoints/rules.ts': 3,
  'control/endpoints/tables.ts': 3,
  'control/explanation-view.ts': 15,
  'definition/api.ts': 4,
  'definition/explanation-text.ts': 12,
  'definition/explanation.ts': 15,
  'definition/records.ts': 1,
  'extend/extension-issues.ts': 2,
  'extend/own-endpoint.ts': 3,
  'extend/record-uuids.ts': 2,
  'extend/resource.ts': 1,
  'extend/step-issues.ts': 1,
  'faults/fault-rule.ts': 3,
  'journal/entry-filter.ts': 21,
  'journal/journal-filter.ts': 3,
  'journal/recorded-exchange.ts': 2,
  'lib/fields.ts': 1,
  'office/explain-api.ts': 8,
  'rest/openapi-responses.ts': 1,
  'scenario/format.ts': 1,
  'sessions/example-answers.ts': 1,
  'sessions/ids-inside.ts': 1,
  'sessions/openapi.ts': 2,
};

test('the engine names no word of the store, apart from files that are known', () => {
  const found = files('src/engine')
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => [path.slice('src/engine/'.length), code(path).match(word)?.length ?? 0] as const)
    .filter(([, count]) => count > 0);
  expect(found.filter(([path, count]) => count > (left[path] ?? 0))).toEqual([]);
  const named = new Set(found.map(([path]) => path));
  expect(Object.keys(left).filter((path) => !named.has(path))).toEqual([]);
});
