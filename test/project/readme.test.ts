import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readme, renewed } from '../../tools/readme-blocks.ts';

const text = readme();

test('the blocks that are made from the code are up to date (npm run readme renews them)', () => {
  expect(text).toBe(renewed(text));
});

test('every path that README names is there', () => {
  const paths = [...text.matchAll(/`((?:src|test|fixtures|scenarios|\.ci)\/[\w./-]*)`/g)];
  const missing = paths.map(([, path = '']) => path).filter((path) => !existsSync(path));
  expect(missing).toEqual([]);
});

test('every script that README names is in package.json', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const named = [...text.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
