import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { coverageReport, type CoverageReport } from '../../src/engine/coverage/report.ts';
import { noCounts } from '../../src/engine/coverage/counts.ts';
import { parseArguments } from '../../src/cli/arguments.ts';
import { mergeFiles } from '../../src/cli/coverage.ts';
import { reportRun } from '../../src/mounts/node/coverage-files.ts';
import { runCommand } from '../support/command.ts';
import { storeContract } from '../../src/shop/store-contract.ts';

const list = storeContract();

const zones = 'statuses: GET /api/zones/ 200';
const confirmed = 'states: order.confirmed';

/** Creates a folder with the reports of two servers and a file that is none. */
function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'backlot-merge-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  const reports = {
    a: coverageReport({ ...noCounts, requests: 2, items: { [zones]: 2 } }, list),
    b: coverageReport({ ...noCounts, requests: 1, items: { [zones]: 1, [confirmed]: 1 } }, list),
    other: { version: 1 },
  };
  for (const [name, report] of Object.entries(reports))
    writeFileSync(join(path, `${name}.json`), JSON.stringify(report));
  return path;
}

test('a report with counts of other kinds is refused, and names in one show no control characters', async () => {
  const path = folder();
  const write = (name: string, counts: unknown): string => {
    const file = join(path, `${name}.json`);
    writeFileSync(file, JSON.stringify({ backlot: 'coverage', version: 1, counts }));
    return file;
  };
  const controls = 'GET \u001B]0;owned\u0007\u009B31m\u202E';
  const wrong: unknown[] = [
    null,
    { items: null },
    { unmatched: 5 },
    { parameters: [null] },
    { items: { [zones]: '1' } },
    { requests: 'many' },
  ];
  for (const counts of wrong) {
    await expect(
      mergeFiles(parseArguments(['merge', write('wrong', counts)], 'coverage')),
    ).rejects.toThrow('is not a report of contract coverage, version 1.');
  }
  const many = Object.fromEntries(Array.from({ length: 100_001 }, (_, at) => [`GET /${at}`, 1]));
  await expect(
    mergeFiles(parseArguments(['merge', write('many', { unmatched: many })], 'coverage')),
  ).rejects.toThrow('it has more than 100,000 values');
  const { code, out } = await runCommand(
    'coverage',
    'merge',
    '--gaps=5',
    write('odd', { unmatched: { [controls]: 1 } }),
  );
  expect(code).toBe(0);
  expect(out).toContain('GET ?]0;owned??31m?');
});

test('merge adds up reports, prints the result and writes it in each format', async () => {
  const path = folder();
  const outs = ['all.json', 'all.xml'].map((name) => join(path, name));
  const { code, out } = await runCommand(
    'coverage',
    'merge',
    join(path, 'a.json'),
    join(path, 'b.json'),
    ...outs.flatMap((file) => ['--out', file]),
  );
  expect(code).toBe(0);
  expect(out).toMatch(/Contract coverage of 3 requests, which met \d+ of \d+ operations\n/);
  const [json = '', junit = ''] = outs.map((file) => readFileSync(file, 'utf8'));
  const report = JSON.parse(json) as CoverageReport;
  expect(report.counts.items).toEqual({ [zones]: 3, [confirmed]: 1 });
  expect(report.summary.all.met).toBe(2);
  const { total } = report.summary.all;
  expect(junit).toContain(`tests="${total}" failures="${total - 2}"`);
  expect(junit).toContain('<testcase classname="states" name="order.confirmed"/>');
  const gap = '<testcase classname="transitions" name="order.ship"><failure message="Never met">';
  expect(junit).toContain(gap);
});

test.each([
  { min: '0.01', code: 0 },
  { min: '50', code: 1 },
  { min: '-5000', code: 0 },
  { min: '-1', code: 1 },
  { min: '101', code: 2 },
  { min: 'much', code: 2 },
])('merge with --min=$min ends with exit code $code', async ({ min, code }) => {
  const path = folder();
  const ended = await runCommand('coverage', 'merge', join(path, 'a.json'), `--min=${min}`);
  expect(ended).toMatchObject({ code });
  if (code === 1) expect(ended.err).toContain('backlot: Contract coverage of all');
  if (code === 2) expect(ended.err).toContain('--min must be a percentage');
});

test('merge leaves out ignored items, and names patterns that match nothing', async () => {
  const path = folder();
  const ignored = ['--ignore', 'states: *', '--ignore', 'GET /api/zone 200'];
  const { code, out } = await runCommand('coverage', 'merge', join(path, 'a.json'), ...ignored);
  expect(code).toBe(0);
  expect(out).toMatch(/states +0 of +0 +100\.00 %/);
  expect(out).toContain('patterns that match nothing: GET /api/zone 200');
});

test.each([
  ['*', true],
  ['GET /api/zones/ 200', true],
  ['GET*200', true],
  ['GET*zones*200*', true],
  ['*GET /api/zones/ 200*', true],
  ['statuses: GET * 200', true],
  ['GET /api/zones/ 2*200', false],
  ['GET*200*GET', false],
  ['GET.*200', false],
  ['get*', false],
  ['*e*e*e*e*e*e*e*e*e*!', false],
])('the pattern %s ignores GET /api/zones/ 200: %s', (pattern, isIgnored) => {
  const { gaps, unusedIgnores } = coverageReport(noCounts, list, { ignore: [pattern] });
  const isGap = gaps.some((gap) => gap.measure === 'statuses' && gap.id === 'GET /api/zones/ 200');
  expect([!isGap, unusedIgnores.length === 0]).toEqual([isIgnored, isIgnored]);
});

test.each([
  [{ reporters: ['html'] }, 'reporters: Unrecognized option: "html"; known: json, junit, text'],
  [{ thresholds: { enums: 100 } }, 'thresholds: Unrecognized option: "enums"'],
])('a reporter refuses the options %j', (options, message) => {
  const run = { folder: tmpdir(), log: () => undefined, isShard: false };
  // JavaScript does not check the names.
  expect(() => reportRun([noCounts], options as object, run)).toThrow(message);
});

test.each(['other.json', 'missing.json'])(
  'merge of a file that is no report ends with exit code 2: %s',
  async (name) => {
    const path = folder();
    const { code, err } = await runCommand('coverage', 'merge', join(path, name));
    expect(code).toBe(2);
    expect(err).toContain(name);
  },
);

test('unusual leaves out statuses of servers and limits that were not met, and counts operations', () => {
  const items = { 'statuses: GET /api/zones/ 429': 1, [zones]: 1 };
  const counts = { ...noCounts, requests: 2, items };
  const all = coverageReport(counts, list);
  const usual = coverageReport(counts, list, { ignore: ['unusual'] });
  const left = usual.gaps.filter(({ measure }) => measure === 'statuses').map(({ id }) => id);
  expect(left.filter((id) => / (401|403|413|415|429|500|503)$/.test(id))).toEqual([]);
  expect(left).toContain('GET /api/zones/ 400');
  expect([usual.summary.statuses.met, all.summary.statuses.met]).toEqual([2, 2]);
  expect(usual.summary.statuses.total).toBeLessThan(all.summary.statuses.total);
  expect(usual.summary.states).toEqual(all.summary.states);
  expect(usual.unusedIgnores).toEqual([]);
  const operations = new Set(
    all.gaps.flatMap(({ measure, id }) =>
      measure === 'statuses' ? [id.replace(/ \d+$/, '')] : [],
    ),
  );
  expect(usual.operations).toEqual({ total: operations.size, met: 1 });
});
