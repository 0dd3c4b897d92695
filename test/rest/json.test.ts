import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonOf, textOfCached } from '../../src/engine/rest/json.ts';
import { anyCharacter } from '../support/any-character.ts';
import { runs } from '../support/runs.ts';

/** Values of a response, with every special character of JSON and undefined fields. */
const plain = fc.anything({
  withNullPrototype: false,
  maxDepth: 4,
  key: fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom('_embedded', 'items')),
  values: [
    fc.string({ unit: anyCharacter }),
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
  ],
});

/** Views of which some are cached. */
const view = fc.tuple(plain.filter(isObject), fc.boolean()).map(([made, isCached]) => {
  if (isCached) expect(textOfCached(made)).toBe(JSON.stringify(made));
  return made;
});

test('a response is the same text as JSON.stringify returns', () => {
  fc.assert(
    fc.property(
      plain.filter((value) => value !== undefined),
      (answer) => {
        expect(jsonOf(answer)).toBe(JSON.stringify(answer));
      },
    ),
    { numRuns: runs(2000) },
  );
});

test('a page is the same text, whether its views are cached or not', () => {
  fc.assert(
    fc.property(fc.nat(), fc.array(view), (page, items) => {
      const answer = { page, limit: 10, _links: {}, _embedded: { items } };
      expect(jsonOf(answer)).toBe(JSON.stringify(answer));
    }),
    { numRuns: runs(1000) },
  );
});

test.each([
  { _embedded: {} },
  { _embedded: null },
  { _embedded: { items: 3 } },
  { _embedded: { items: [3, null, undefined] } },
  { _embedded: { items: [{ id: 1 }], more: true } },
  { _embedded: { items: [{ id: 1 }] }, total: 1 },
])('a response that only looks like a page is the same text: %j', (answer) => {
  expect(jsonOf(answer)).toBe(JSON.stringify(answer));
});

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
