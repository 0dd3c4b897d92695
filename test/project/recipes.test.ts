import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { files } from '../support/tree.ts';

const recipes = new Map(
  readFileSync('.github/CONTRIBUTING.md', 'utf8')
    .split('\n### ')
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf('\n')), text]),
);

test.each([
  ['A field', ['plainPassword', 'usageLimit', 'cardholderName']],
  ['A setting', ['stepBack', 'declinedStatus']],
  ['A step of the checkout', ['addressing', 'shipping', 'payment', 'confirm', 'purchase']],
  ['A kind of fault', ['corrupt', 'hold']],
])('the recipe “%s” names each source file that lists %j', (name, words) => {
  const listing = files('src').filter((path) => {
    const text = readFileSync(path, 'utf8');
    return words.every((word) => new RegExp(`\\b${word}\\b`).test(text));
  });
  expect(listing.length).toBeGreaterThan(0);
  expect(listing.filter((path) => !recipes.get(name)?.includes(`\`${path}\``))).toEqual([]);
});
