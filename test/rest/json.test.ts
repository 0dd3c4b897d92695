import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonOf, shareView } from '../../src/rest/json.ts';

/** Values of a response, with every special character of JSON and undefined fields. */
const plain = fc.anything({
  withNullPrototype: false,
  maxDepth: 4,
  key: fc.string({ unit: 'binary' }),
  values: [
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
  ],
});

/** Values of which some are frozen, as records and views are. */
const partlyFrozen = fc.tuple(plain, fc.infiniteStream(fc.boolean())).map(([value, toss]) => {
  const freeze = (one: unknown): unknown => {
    if (typeof one !== 'object' || one === null) return one;
    for (const part of Object.values(one)) freeze(part);
    return toss.next().value === true ? Object.freeze(one) : one;
  };
  return freeze(value);
});

test('a response is the same text as JSON.stringify returns, also when memoized', () => {
  fc.assert(
    fc.property(
      partlyFrozen.filter((value) => value !== undefined),
      (answer) => {
        const expected = JSON.stringify(answer);
        expect(jsonOf(answer)).toBe(expected);
        expect(jsonOf(answer)).toBe(expected);
      },
    ),
    { numRuns: 2000 },
  );
});

test('a page is the same text as JSON.stringify returns', () => {
  fc.assert(
    fc.property(fc.nat(), fc.array(partlyFrozen.filter(isObject)), (page, items) => {
      const answer = { page, limit: 10, _links: {}, _embedded: { items } };
      expect(jsonOf(answer)).toBe(JSON.stringify(answer));
    }),
  );
});

/** Texts and numbers that look like the placeholders of shared texts. */
const lookalike = fc.oneof(
  fc
    .array(fc.constantFrom('":92000000', '":9200000000000.5', '00000.5', '\\', '"', ',', '}', 'a'))
    .map((parts) => parts.join('')),
  fc.constantFrom(92_000_000, 9_200_000_000_000, 9_200_000_000.5),
);

test('a shared view is written in its place, whatever the values around it look like', () => {
  fc.assert(
    fc.property(lookalike, lookalike, plain, (before, after, view) => {
      const share = shareView<unknown>();
      const row = {};
      const answer = () => ({ before, shared: share(row, [], () => ({ view })), after });
      const expected = JSON.stringify({ before, shared: { view }, after });
      expect(jsonOf(answer())).toBe(expected);
      expect(jsonOf(answer())).toBe(expected);
      const page = { page: 1, _embedded: { items: [answer(), answer()] } };
      expect(jsonOf(page)).toBe(`{"page":1,"_embedded":{"items":[${expected},${expected}]}}`);
    }),
    { numRuns: 1000 },
  );
});

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
