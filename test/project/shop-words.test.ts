import { expect, test } from 'vitest';
import { code, files } from '../support/tree.ts';

/** Words of the store, also as parts of names: `shippingAddress`. */
const word =
  /promotion|coupon|shipment|shipping|checkout|payment(?! Required)|purchase|product(?!\()|(?<!font-)variant|stock|billing|\bcarts?\b|customer|inventory|refund|adjustment|province|country|countries|taxon|\btax|backorder|currency|currencies/gi;

/** Words that mean something else in a file: the variant of a UUID, and the product of two fractions. */
const others: Readonly<Record<string, RegExp>> = {
  'src/engine/extend/record-uuids.ts': /\bvariant\b/g,
  'src/engine/definition/records.ts': /\bproduct\b/g,
};

test('the engine names no word of the store', () => {
  const found = ['src/engine', 'src/studio', 'src/verify/drift', 'src/verify/workflows']
    .flatMap((folder) => files(folder))
    .filter((path) => /\.tsx?$/.test(path) && !/^src\/studio\/(shop\/|vite)/.test(path))
    .map((path) => {
      const text =
        others[path] === undefined ? code(path) : code(path).replaceAll(others[path], '');
      return [path, text.match(word) ?? []] as const;
    })
    .filter(([, words]) => words.length > 0);
  expect(found).toEqual([]);
});
