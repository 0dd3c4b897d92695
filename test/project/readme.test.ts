import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
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

test('a document of more than 200 lines begins with a list of its sections', () => {
  for (const document of documents.filter((one) => textOf(one).split('\n').length > 200)) {
    const [beginning = '', ...sections] = textOf(document).split(/^## /m);
    const titles = sections.map((section) => section.split('\n')[0]!);
    const links = titles.map(
      (title) => `[${title}](#${title.toLowerCase().replaceAll(':', '').replaceAll(' ', '-')})`,
    );
    expect(links.filter((link) => !beginning.includes(link))).toEqual([]);
  }
});

test('the documents call the program by npx, but for the clone that README starts', () => {
  const examples = globSync('examples/*/README.md');
  const others = [...texts, ...examples].flatMap((document) =>
    Array.from(textOf(document).matchAll(otherCalls), ([call]) => `${document}: ${call.trim()}`),
  );
  expect(others).toEqual([
    expect.stringContaining('README.md: '),
    'README.md: npm ci && npm start',
  ]);
});

/** In code of a line, and in lines of a shell. */
const otherCalls =
  /`(?:npm start|backlot (?!\$)[^`]*)|^(?:\$ )?(?:.*\b(?:npm start|pnpm|yarn|bunx)\b|backlot (?!requires)|node .*\bmain\b).*/gm;

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

test.each(globSync('examples/*/README.md'))(
  '%s has at most 40 lines, and its example 400 lines of code with its tests',
  (readme) => {
    expect(textOf(readme).trimEnd().split('\n').length).toBeLessThanOrEqual(40);
    const code = globSync(`${dirname(readme)}/**/*.{ts,tsx,js,jsx}`, {
      exclude: (path) => /node_modules|\.config\./.test(path),
    });
    const lines = code.flatMap((path) => textOf(path).trimEnd().split('\n'));
    expect(lines.length).toBeLessThanOrEqual(400);
  },
);

test('README has at most 150 lines', () => {
  expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});

test.each(decisions)(
  '%s has at most ten lines under its title, and the list of decisions has it',
  (path) => {
    const [title = '', ...lines] = textOf(path).split('\n');
    const [, number] = /^# (\d{4}): /.exec(title) ?? [];
    expect(lines.filter((line) => line !== '').length).toBeLessThanOrEqual(10);
    expect(textOf('.github/decisions/README.md')).toContain(`[${number}](${basename(path)})`);
  },
);

test('every benchmark that a document names exists', () => {
  const named = texts.flatMap((document) =>
    [...textOf(document).matchAll(/npm run bench -- (\w+)/g)].map(([, name]) => name),
  );
  expect(named.filter((name) => !existsSync(`test/bench/${name}.bench.ts`))).toEqual([]);
});
