import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apart, cachedView, type TextCache } from '../../src/engine/rest/cached-view.ts';
import { jsonOf, shareView } from '../../src/engine/rest/json.ts';
import type { ViewText } from '../../src/engine/rest/view-text.ts';
import { anyCharacter } from '../support/any-character.ts';
import { runs } from '../support/runs.ts';

/** Values of a response, with every special character of JSON and undefined fields. */
const plain = fc.anything({
  withNullPrototype: false,
  maxDepth: 4,
  key: fc.string({ unit: anyCharacter }),
  values: [
    fc.string({ unit: anyCharacter }),
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
    { numRuns: runs(2000) },
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

/** Values that look like the marks of fragments, whose text is known already. */
const lookalike = fc.oneof(
  fc
    .array(fc.constantFrom('\u007F', '\u007F+', '+', '\\', '"', ',', '}', 'é', '✓'))
    .map((parts) => parts.join('')),
  fc.constantFrom('\u007F', '\u007F+', '\u007F++').map((key) => ({ [key]: key })),
  fc.nat({ max: 40 }).map((at) => 9_200_000_000_000.5 + at),
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
    { numRuns: runs(1000) },
  );
});

test('one text serves a record alone and in a list, where its details are left out', () => {
  fc.assert(
    fc.property(
      fc.array(lookalike, { minLength: 3, maxLength: 3 }),
      fc.array(fc.array(plain.filter(isObject), { maxLength: 2 }), { minLength: 2, maxLength: 2 }),
      fc.array(fc.boolean(), { maxLength: 4 }),
      ([before, between, after], [some = [], others = []], readings) => {
        const share = shareView<unknown>();
        const row = {};
        const texts = cacheOfTexts();
        const view = (lists: (views: object[]) => object[]) => ({
          before,
          inner: [{ details: lists(some), shared: share(row, [], () => ({ between })), between }],
          details: lists(others),
          after,
        });
        const expected = (lists: (views: object[]) => object[]): string => {
          const inner = [{ details: lists(some), shared: { between }, between }];
          return JSON.stringify({ before, inner, details: lists(others), after });
        };
        for (const isListed of readings) {
          const lists = isListed ? () => [] : apart;
          const shown = cachedView(texts, 1, { isListed, make: () => view(lists) as unknown });
          if (isListed) {
            const page = { page: 1, _embedded: { items: [shown, shown] } };
            const item = expected(() => []);
            expect(jsonOf(page)).toBe(`{"page":1,"_embedded":{"items":[${item},${item}]}}`);
          } else expect(jsonOf(shown)).toBe(expected((views) => views));
        }
      },
    ),
    { numRuns: runs(1000) },
  );
});

/** Texts that stay, unless they are not enough. */
function cacheOfTexts(): TextCache {
  const texts = new Map<number, ViewText>();
  return {
    get(id, make, isEnough = () => true) {
      const known = texts.get(id);
      if (known !== undefined && isEnough(known)) return known;
      const made = make();
      texts.set(id, made);
      return made;
    },
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
