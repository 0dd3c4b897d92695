import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Ended } from '../support/program.ts';
import { sample } from '../support/runs.ts';
import { findingsIn, openSuite, suite } from '../support/suite.ts';

const opened = openSuite();

/** Runs a command for a suite that has no back office of Backlot. */
function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return opened.run([...args, ...suite], { CASES: 'todos.cases.ts', ...env });
}

const places = [
  { CLIENT: 'axios', ENVIRONMENT: 'jsdom', MSW: 'msw' },
  { CLIENT: 'fetch', ENVIRONMENT: 'jsdom', MSW: 'msw2' },
  { CLIENT: 'fetch', ENVIRONMENT: 'happy-dom', MSW: 'msw2' },
  { CLIENT: 'axios', ENVIRONMENT: 'happy-dom', MSW: 'msw' },
];

test.each(sample(places, 1))('chaos finds what a page with %o does not survive', async (env) => {
  const ended = await run(['chaos', '--fault', 'drop', '--fault', 'malformed'], env);
  expect(ended.code, ended.err).toBe(1);
  expect(findingsIn(ended)).toContainEqual(
    expect.stringMatching(
      /^✗ GET \/api\/lists\/:id\/todos under drop, malformed: The page is empty\./,
    ),
  );
  expect(ended.out).toContain(
    '✗ POST /api/lists/:id/todos under drop: The page says nothing: it still shows “Add”.',
  );
  expect(ended.out).toContain('1 test, 6 cells');
});

test.each(['fetch', 'axios'])(
  'a page with %s that tells its user survives all faults',
  { tags: 'long' },
  async (client) => {
    const ended = await run(['chaos'], { CAREFUL: 'yes', CLIENT: client });
    expect(ended.code, ended.out + ended.err).toBe(0);
    expect(ended.out).toMatch(/1 test, 22 cells in [\d.]+ s: 0 red, 22 green, 0 grey\./);
  },
);

interface MutantsReport {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { status: string }[] }>>;
}

test.each(sample(['fetch', 'axios'], 1))(
  'mutate finds the field that no test of a page with %s asserts, by the names of a document, and what stubs of a test and a server respond with',
  async (client) => {
    const env = { CASES: '{todos,stubs}.cases.ts', CLIENT: client };
    const args = ['--openapi', 'openapi.json', '--out', 'mutants.json'];
    const ended = await run(['mutate', ...args], env);
    expect(ended.code, ended.err).toBe(1);
    const found = findingsIn(ended);
    expect(found.filter((line) => line.includes('/api/'))).toEqual([
      '✗ GET /api/lists/:list/todos 200 [].priority: "high" → "hig (wrong)"',
      '✗ GET /api/lists/:list/todos 200 [].priority: missing',
      '✗ GET /api/lists/:list/todos 200 [].priority: "high" → null',
    ]);
    const report = readFileSync(join(opened.shop, 'mutants.json'), 'utf8');
    const { files } = JSON.parse(report) as MutantsReport;
    for (const name of ['spy', 'assigned', 'object', 'server']) {
      expect(found).toContain(`✗ GET /${name}/:id 200 done: false → true`);
      const statuses = files[`GET /${name}/:id 200.json`]?.mutants.map(({ status }) => status);
      expect(statuses?.toSorted()).toEqual(['Killed', 'Killed', 'Killed', 'Survived', 'Survived']);
    }
  },
);
