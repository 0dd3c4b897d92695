import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectUnder } from 'backlot/suite';
import { findingsIn, openSuite, suite, temporaryFolder } from '../support/suite.ts';

const { shop, run } = openSuite();

const racing = { CASES: 'races.cases.ts' };
const one = 'GET /api/products/';

test('chaos --races finds the page on which an older response overwrites a newer one, and prints the line that repeats it', async () => {
  const folder = temporaryFolder();
  const files = ['races.json', 'races.xml', 'races.html'].map((name) => join(folder, name));
  const outs = files.flatMap((file) => ['--out', file]);
  const ended = await run(['chaos', '--races', ...outs, ...suite], racing);
  expect(ended.code, ended.err).toBe(1);
  expect(ended.out).toContain(
    `✗ ${one} (2) before ${one}: An older response overwrites a newer one: the page shows “8 found” instead of “1 found”.
  a search shows what was typed last (races.cases.ts)`,
  );
  const { cells } = JSON.parse(readFileSync(files[0]!, 'utf8')) as {
    cells: { test: string; order: string; tone: string; trace?: string }[];
  };
  const ordersOf = (name: string, tone: string): string[] =>
    cells.flatMap((cell) => (cell.test === name && cell.tone === tone ? [cell.order] : []));
  expect(ordersOf('two parts are independent', 'green')).toEqual([
    'GET /api/users/ before GET /api/channels/',
  ]);
  expect(ordersOf('three searches at once', 'red')).toEqual([
    `${one} (3) before ${one} (2) before ${one}`,
    `${one} (2) before ${one} (3) before ${one}`,
  ]);
  expect(ordersOf('three searches at once', 'green')).toHaveLength(3);
  const fake = 'a search that waits for its user, under fake timers';
  expect(ordersOf(fake, 'red')).toEqual([`${one} (2) before ${one}`]);
  expect(cells.map(({ test: name }) => name)).not.toContain('one search after the other');
  const ignoring = 'a search that ignores what is no longer typed';
  expect(ordersOf(ignoring, 'green')).toEqual([`${one} (2) before ${one}`]);
  // Its older request is over before a response can arrive.
  const aborting = 'a search that aborts what is no longer typed';
  expect(cells.map(({ test: name }) => name)).not.toContain(aborting);
  expect(ended.out).toMatch(/^7 tests, 9 cells in [\d.]+ s: 4 red, 5 green, 0 grey\./m);
  const red = cells.filter(({ tone }) => tone === 'red');
  for (const { trace } of red) expect(existsSync(join(shop, trace!)), trace).toBe(true);
  expect(readFileSync(files[1]!, 'utf8').match(/<failure /g)).toHaveLength(red.length);
  expect(readFileSync(files[2]!, 'utf8')).toContain(`<code>${one} (2) before ${one}</code>`);

  const [, line] = /One again: npx backlot (.*)/.exec(ended.out) ?? [];
  const words = Array.from(line!.matchAll(/'([^']*)'|\S+/g), ([word, quoted]) => quoted ?? word);
  const again = await run(words, racing);
  expect(again.code, again.err).toBe(1);
  expect(findingsIn(again)).toEqual(findingsIn(ended).slice(0, 1));
});

test('races are the same in five runs', { tags: ['long'] }, async () => {
  const grids = new Set<string>();
  for (let count = 0; count < 5; count += 1) {
    const { out } = await run(['chaos', '--races', ...suite], racing);
    grids.add(out.replace(/cells in [\d.]+ s/, ''));
  }
  expect([...grids]).toHaveLength(1);
});

test('expectUnder does nothing outside of the command, and rejects a fault that does not exist', () => {
  expectUnder('drop', () => expect.fail('It is never called.'));
  // @ts-expect-error -- no fault has this name
  expect(() => expectUnder('rain', () => undefined)).toThrow(
    'The fault of expectUnder must be one of drop, drop after, malformed, cut off, 503, 401, 429, slow, not',
  );
});
