import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { documents, textOf } from '../../tools/documents.ts';
import { blocksOf, needsTest, placeOf, sourceOf } from '../../tools/code-blocks.ts';
import { withNewBlocks } from '../../tools/readme-blocks.ts';

const decisions = globSync('.github/decisions/0*.md').toSorted();
const texts = [
  ...documents,
  '.github/CONTRIBUTING.md',
  'CHANGELOG.md',
  '.github/decisions/README.md',
  ...decisions,
];

const inRepository =
  /\]\(https:\/\/github\.com\/backlot-dev\/backlot\/(?:blob|raw)\/main\/([^)#]+)/g;

test.each(documents)('blocks of %s that are made from the code are up to date', (document) => {
  // npm run readme makes them anew.
  expect(textOf(document)).toBe(withNewBlocks(textOf(document)));
});

test.each(texts)('every path that %s names exists', (document) => {
  const named = [
    ...textOf(document).matchAll(
      /`((?:src|test|tools|docs|fixtures|scenarios|\.ci|\.github)\/[\w./-]*)`/g,
    ),
  ].map(([, path = '']) => path);
  const linked = [...textOf(document).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = '']) =>
    join(dirname(document), path),
  );
  const absolute = [...textOf(document).matchAll(inRepository)].map(([, path = '']) => path);
  expect([...named, ...linked, ...absolute].filter((path) => !existsSync(path))).toEqual([]);
});

test('links of README lead somewhere from the package, too, which has no other document', () => {
  expect(textOf('README.md').match(/\]\((?!https?:|#)[^)]+/g) ?? []).toEqual([]);
});

test.each(texts)('every script that %s names is in package.json', (document) => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const named = [...textOf(document).matchAll(/npm run (?:-s )?([\w:-]+)/g)];
  expect(named.map(([, name = '']) => name).filter((name) => !(name in scripts))).toEqual([]);
});

test('a test runs each block of a page of the site that no page can run', () => {
  const pages = documents.filter((document) => document.startsWith('docs/'));
  const needed = pages.flatMap((page) => blocksOf(page)).filter(needsTest);
  expect(needed.length).toBeGreaterThan(30);
  expect(needed.filter((block) => placeOf(block) === undefined)).toEqual([]);
});

test('a block that names a file of the source is a part of it', () => {
  const excerpts = documents.flatMap((document) =>
    blocksOf(document).flatMap(({ code }) => {
      const file = sourceOf({ code });
      return file === undefined ? [] : [{ file, code: code.slice(code.indexOf('\n') + 1).trim() }];
    }),
  );
  expect(excerpts).not.toEqual([]);
  for (const { file, code } of excerpts)
    expect(readFileSync(file, 'utf8').replaceAll(/^ {2}/gm, '')).toContain(code);
});

test('every benchmark that a document names exists', () => {
  const named = texts.flatMap((document) =>
    [...textOf(document).matchAll(/npm run bench -- (\w+)/g)].map(([, name]) => name),
  );
  expect(named.filter((name) => !existsSync(`test/bench/${name}.bench.ts`))).toEqual([]);
});
