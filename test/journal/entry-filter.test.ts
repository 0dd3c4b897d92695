import { expect, test } from 'vitest';
import { parseEntryFilter } from '../../src/engine/journal/entry-filter.ts';
import { filterWords } from '../../src/shop/filter-words.ts';
import { definitions } from '../../src/shop/models/database.ts';

const refused = {
  id: 12,
  by: 'request',
  title: 'PUT /api/checkouts/105?x=1',
  outcome: 'rejected',
  status: 400,
  reason: 'shippingAddress: This value should not be blank.',
  step: 'addressing',
  changed: 0,
};
const clock = { id: 13, by: 'clock', title: 'clock to 2026', outcome: 'ok', changed: 2 };
const changes = [
  { table: 'orders', id: 105 },
  { table: 'tax_categories', id: 7 },
];

test.each([
  ['', true, true],
  ['is:rejected', true, false],
  ['is:ok,rejected', true, true],
  ['-is:ok', true, false],
  ['by:clock', false, true],
  ['step:addressing', true, false],
  ['method:put', true, false],
  ['method:GET,PUT', true, false],
  ['status:4xx', true, false],
  ['status:400', true, false],
  ['status:404', false, false],
  ['order:105', true, undefined],
  ['order:10', false, undefined],
  ['user:105', false, undefined],
  ['#13', false, true],
  ['#1-12', true, false],
  ['#12-13', true, true],
  ['is:error', true, false],
  ['is:refused', true, false],
  ['is:write', false, true],
  ['is:slow', false, false],
  ['BLANK', true, false],
  ['"not be blank"', true, false],
  ['blank is:ok', false, false],
  ['"clock to" by:clock', false, true],
  ['is:', true, true],
  ['-is: ""', true, true],
  ['order:"" is:ok,', false, true],
  ['-" " by:,', true, true],
])(
  'the filter %j matches a rejected request: %s, a move of the clock: %s',
  (text, first, second) => {
    const filter = parseEntryFilter(text, filterWords);
    expect(filter.matches(refused)).toBe(first);
    expect(filter.matches(clock)).toBe(second);
  },
);

test('the records of an entry are those that it changed', () => {
  expect(parseEntryFilter('order:105', filterWords).matches(clock, changes)).toBe(true);
  expect(parseEntryFilter('order:1,105', filterWords).matches(clock, changes)).toBe(true);
  expect(parseEntryFilter('-order:105', filterWords).matches(clock, changes)).toBe(false);
  expect(parseEntryFilter('tax-category:7', filterWords).matches(clock, changes)).toBe(true);
  expect(parseEntryFilter('product:7', filterWords).matches(clock, changes)).toBe(false);
});

test('a filter accepts each singular of the tables', () => {
  const names = Object.values(definitions).map(({ singular }) => singular.replaceAll(' ', '-'));
  expect([...filterWords.records.keys()]).toEqual(names.toSorted());
  for (const { name: table, singular } of Object.values(definitions)) {
    const filter = parseEntryFilter(`${singular.replaceAll(' ', '-')}:3`, filterWords);
    expect([table, filter.matches(clock, [{ table, id: 3 }])]).toEqual([table, true]);
  }
});

test.each([
  ['colour:red', "Unknown filter 'colour:'. Use is:, by:, step:, "],
  [
    'is:good',
    "is: must be ok, declined, rejected, failed, dropped, different, error, held, delayed, client-left, slow or write, not 'good'.",
  ],
  ['status:6xx', "status: must be a status such as 404 or 4xx, not '6xx'."],
  ['order:x', "order: must be an id such as 105, not 'x'."],
])('the filter %j is rejected with the reason', (text, message) => {
  expect(() => parseEntryFilter(text, filterWords)).toThrow(message);
});
