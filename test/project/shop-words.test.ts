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
  'studio/activity/activity.tsx': 2,
  'studio/data/data.tsx': 13,
  'studio/data/record-view.tsx': 16,
  'studio/data/stock.tsx': 81,
  'studio/entry-detail.tsx': 1,
  'studio/filter.ts': 1,
  'studio/format.ts': 6,
  'studio/marks.ts': 3,
  'studio/orders/chart-places.ts': 9,
  'studio/orders/coupons.tsx': 21,
  'studio/orders/journey.tsx': 2,
  'studio/orders/money.ts': 3,
  'studio/orders/order-data.ts': 3,
  'studio/orders/order-parts.tsx': 40,
  'studio/orders/order.tsx': 4,
  'studio/orders/orders.tsx': 7,
  'studio/orders/rail.tsx': 8,
  'studio/palette/palette-choices.ts': 13,
  'studio/palette/palette-search.ts': 2,
  'studio/palette/palette.tsx': 1,
  'studio/rules/effect-kinds.ts': 1,
  'studio/rules/rule-draft.ts': 5,
  'studio/rules/rule-editor.tsx': 2,
  'studio/time/time-parts.tsx': 1,
  'studio/tones.ts': 3,
  'studio/upcoming.tsx': 8,
  'studio/why/compare.tsx': 10,
  'studio/why/entry-why.tsx': 1,
  'studio/why/facts.tsx': 10,
  'studio/why/order-why.tsx': 13,
  'studio/why/record-why.tsx': 15,
  'studio/why/why.tsx': 7,
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
