import { expect, test } from 'vitest';
import { read } from '../support/tree.ts';
import { ofDemos, untested } from './promises/demos.ts';
import { ofStores, type Promised } from './promises/stores.ts';

const pages: [page: string, promised: readonly Promised[]][] = [
  ['docs/stores.md', ofStores],
  ['docs/demos.md', ofDemos],
];

/** Returns a text with one space in place of each line break and several spaces. */
function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

/** Returns the bullets of a page, and the rows of its tables but those of measurements. */
function promisesIn(page: string): string[] {
  const measured = /## What it costs\n.*?\n## /s;
  const blocks = read(page)
    .replace(measured, '')
    .split(/\n(?=- |\| |\n)/);
  return blocks
    .filter((block, at) => {
      if (block.startsWith('- ')) return true;
      return block.startsWith('| ') && !isHead(block) && !isHead(blocks[at + 1] ?? '');
    })
    .map(flat);
}

/** Whether a row of a table is the line below its head. */
function isHead(row: string): boolean {
  return /^\|[ |-]+\|\s*$/.test(row) && row.includes('---');
}

test.each(pages)('each bullet and row of %s has a test that holds it', (page, promised) => {
  const quotes = promised.map(([quote]) => quote);
  const promises = promisesIn(page);
  expect(promises.length).toBeGreaterThan(20);
  expect(promises.filter((text) => !quotes.some((quote) => text.includes(quote)))).toEqual([]);
});

test.each(pages)('each promise that tests hold stands in %s, once', (page, promised) => {
  const text = flat(read(page));
  expect(
    promised.map(([quote]) => quote).filter((quote) => text.split(quote).length !== 2),
  ).toEqual([]);
});

test.each(pages)('each test that holds a promise of %s exists', (_, promised) => {
  const without = promised.filter(
    ([quote, ...tests]) => tests.length === 0 && !(quote in untested),
  );
  expect(without).toEqual([]);
  const missing = promised
    .flatMap(([, ...tests]) => tests)
    .filter(
      ([file, title]) => !titlesIn(`test/${file}.test.ts`).some((one) => one.includes(title)),
    );
  expect(missing).toEqual([]);
});

/** Returns the texts of a test file that can be titles, those of skipped tests excluded. */
function titlesIn(path: string): string[] {
  const strings = /(?<=^|[\s(,])(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`]*`)(?=,)/gm;
  return read(path).match(strings) ?? [];
}
