import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonOf } from '../../src/rest/json.ts';

/** Whatever an answer may be made of: texts with all that is special in JSON, and fields that are not there. */
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

/** As tables and views are: frozen, here and there. */
const partlyFrozen = fc.tuple(plain, fc.infiniteStream(fc.boolean())).map(([value, toss]) => {
  const freeze = (one: unknown): unknown => {
    if (typeof one !== 'object' || one === null) return one;
    for (const part of Object.values(one)) freeze(part);
    return toss.next().value === true ? Object.freeze(one) : one;
  };
  return freeze(value);
});

test('answers are written as JSON.stringify writes them, however often', () => {
  fc.assert(
    fc.property(partlyFrozen, (answer) => {
      const expected = JSON.stringify(answer);
      expect(jsonOf(answer)).toBe(expected);
      expect(jsonOf(answer)).toBe(expected);
    }),
    { numRuns: 2000 },
  );
});

test('pages are, too', () => {
  fc.assert(
    fc.property(fc.nat(), fc.array(partlyFrozen.filter(isObject)), (page, items) => {
      const answer = { page, limit: 10, _links: {}, _embedded: { items } };
      expect(jsonOf(answer)).toBe(JSON.stringify(answer));
    }),
  );
});

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
