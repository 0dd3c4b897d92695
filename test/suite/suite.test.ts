import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type AnySchema } from 'ajv';
import { schema } from 'mutation-testing-report-schema';
import { expect, inject, test } from 'vitest';
import { startProgramAt } from '../support/program.ts';
import { built, findingsIn, openSuite, suite, temporaryFolder } from '../support/suite.ts';

const { shop, run } = openSuite();

test('mutate finds the fields that no test asserts, says what would notice, and writes a report in the format of the schema', async () => {
  const folder = temporaryFolder();
  const [json, html] = [join(folder, 'mutants.json'), join(folder, 'mutants.html')];
  const ended = await run(['mutate', '--out', json, '--out', html, ...suite]);
  expect(ended.code, ended.err).toBe(1);
  const findings = findingsIn(ended);
  expect(findings).toContain('✗ GET /api/orders/:order_id/ 200 state: "cart" → "pending"');
  expect(findings).toContain('✗ GET /api/orders/:order_id/ 200 items[].total: missing');
  // The first test asserts the total, and the second one the step.
  expect(findings.filter((line) => / 200 (total|checkout_state):/.test(line))).toEqual([]);
  expect(ended.out).toContain(`'an order shows its total' page.test.ts`);
  expect(ended.out).toContain('expect(document.body.textContent).toContain("cart");');
  const report = JSON.parse(readFileSync(json, 'utf8')) as {
    files: Record<string, { source: string; mutants: { status: string }[] }>;
  };
  const isValid = new Ajv({ strict: false, validateFormats: false }).compile(schema as AnySchema);
  expect(isValid(report), JSON.stringify(isValid.errors)).toBe(true);
  const [file] = Object.values(report.files);
  expect(file!.source).toContain('"total": ');
  expect(new Set(file!.mutants.map(({ status }) => status))).toEqual(
    new Set(['Killed', 'Survived']),
  );
  expect(readFileSync(html, 'utf8')).toContain('<mutation-test-report-app');
});

test(
  'mutate fails for survivors only that its baseline does not have, and is the same each time',
  { tags: 'long' },
  async () => {
    const baseline = join(temporaryFolder(), 'known.json');
    const args = [
      'mutate',
      '--only',
      'GET /api/orders/:order_id 200 items',
      '--baseline',
      baseline,
    ];
    const first = await run([...args, ...suite]);
    expect(first.code, first.err).toBe(0);
    expect(first.out).toContain('findings are known from now on');
    const known = JSON.parse(readFileSync(baseline, 'utf8')) as { findings: string[] };
    expect(known.findings.length).toBeGreaterThan(3);
    const second = await run([...args, ...suite]);
    expect(second.code, second.err).toBe(0);
    expect(findingsIn(second)).toEqual([]);
    writeFileSync(baseline, JSON.stringify({ ...known, findings: known.findings.slice(1) }));
    const third = await run([...args, ...suite]);
    expect(third.code, third.err).toBe(1);
    expect(findingsIn(third)).toEqual([`✗ ${known.findings[0]}`]);
    expect(findingsIn(first).map((line) => line.slice(2))).toEqual(known.findings);
  },
);

test('chaos finds the failures that a page does not survive, and saves a trace of each', async () => {
  const folder = temporaryFolder();
  const files = ['grid.html', 'grid.xml', 'grid.ctrf.json', 'grid.json'].map((name) =>
    join(folder, name),
  );
  const ended = await run(['chaos', ...files.flatMap((file) => ['--out', file]), ...suite]);
  expect(ended.code, ended.err).toBe(1);
  expect(ended.out).toContain(
    `✗ an order shows its total: GET /api/orders/:order_id/: 503
  The page says nothing: it still shows “Loading …”.`,
  );
  expect(ended.out).toContain(
    `PUT /api/checkouts/:order_id: drop after
  The page says nothing, and shows what is no longer so: GET /api/orders/121: checkout_state is "payment", not "shipping".`,
  );
  const report = JSON.parse(readFileSync(files[3]!, 'utf8')) as {
    cells: { fault: string; tone: string; trace?: string }[];
  };
  const red = report.cells.filter(({ tone }) => tone === 'red');
  expect(red.length).toBeGreaterThan(10);
  for (const { trace } of red) expect(existsSync(join(shop, trace!)), trace).toBe(true);
  const xml = readFileSync(files[1]!, 'utf8');
  expect(xml.match(/<failure /g)).toHaveLength(red.length);
  const ctrf = JSON.parse(readFileSync(files[2]!, 'utf8')) as {
    results: { summary: { tests: number; failed: number } };
  };
  expect(ctrf.results.summary).toMatchObject({ tests: report.cells.length, failed: red.length });
  expect(readFileSync(files[0]!, 'utf8')).toContain('<h1>What the pages survive</h1>');
  expect(existsSync(join(shop, '.backlot/chaos.json'))).toBe(true);
  const server = await startProgramAt(shop, {}, '--quiet');
  expect((await server.call('GET /_backlot/chaos')).body).toEqual(report);
  expect((await server.call('GET /_backlot/health')).body.may.findings).toBe(true);
  const trace = await fetch(
    `${server.url}/_backlot/chaos?${new URLSearchParams({ trace: red[0]!.trace! })}`,
  );
  expect(await trace.text()).toBe(readFileSync(join(shop, red[0]!.trace!), 'utf8'));
});

test(
  'a page that tells its user what went wrong, and reads again, survives all faults',
  { tags: 'long' },
  async () => {
    const ended = await run(['chaos', ...suite], { CAREFUL: 'yes' });
    expect(ended.code, ended.out + ended.err).toBe(0);
    expect(ended.out).toMatch(/2 tests, 29 cells in [\d.]+ s: 0 red, 29 green, 0 grey\./);
  },
);

test('tests that are expected to fail judge nothing, and fake timers and snapshots do no harm', async () => {
  const env = { CASES: 'odd.cases.ts' };
  const [mutants, cells] = [
    await run(['mutate', ...suite], env),
    await run(['chaos', ...suite], env),
  ];
  for (const { out } of [mutants, cells])
    expect(out).toContain(`odd.cases.ts 'a known bug' is expected to fail, and judges nothing.`);
  expect(mutants.out).toContain('2 tests, ');
  // The test with fake timers and that with the snapshot assert the total.
  expect(findingsIn(mutants).filter((line) => line.includes(' 200 total:'))).toEqual([]);
  expect(findingsIn(mutants)).toContain('✗ GET /api/orders/:order_id/ 200 items: empty list');
  expect(cells.out).toMatch(/2 tests, 14 cells in [\d.]+ s: 0 red, 14 green, 0 grey\./);
  expect(cells.code, cells.out + cells.err).toBe(0);
});

test('what an app shows outside of the document is judged, and a test that shows nothing is not', async () => {
  const env = { CASES: 'detached.cases.ts' };
  const mutants = await run(['mutate', ...suite], env);
  expect(findingsIn(mutants)).toContain(
    '✗ GET /api/orders/:order_id/ 200 state: "cart" → "pending"',
  );
  expect(mutants.out).not.toContain('change nothing');
  const cells = await run(['chaos', '--fault', '503', '--fault', 'malformed', ...suite], env);
  expect(cells.out).toMatch(/2 tests, 4 cells in [\d.]+ s: 0 red, 2 green, 2 grey\./);
});

test('a response of 3,400 fields has over 10,000 mutants, of which the report says how many were left out', async () => {
  const json = join(temporaryFolder(), 'mutants.json');
  const env = { CASES: 'many.cases.ts', NODE_OPTIONS: '--max-old-space-size=512' };
  const args = ['mutate', '--max', '5', '--only', 'GET /api/orders/:order_id/ 200 total_'];
  const ended = await run([...args, '--out', json, ...suite], env);
  expect(ended.code, ended.err).toBe(1);
  expect(findingsIn(ended)).toHaveLength(5);
  expect(ended.out).toContain('1 test, 5 mutants in ');
  expect(ended.out).toContain('\nLeft out: 10,195 mutants.');
  const { files } = JSON.parse(readFileSync(json, 'utf8')) as {
    files: Record<string, { mutants: { status: string }[] }>;
  };
  const all = Object.values(files).flatMap(({ mutants }) => mutants);
  expect(all.filter(({ status }) => status === 'Pending')).toHaveLength(10_195);
});

test('no snapshot is written', async () => {
  const { code, err } = await run(['mutate', ...suite], { CASES: 'unwritten.cases.ts' });
  expect(err).toContain(
    'fails as it is: Snapshot `an order looks as a snapshot that is not written',
  );
  expect(code).toBe(2);
  expect(existsSync(join(shop, '__snapshots__/unwritten.cases.ts.snap'))).toBe(false);
});

test('an interrupted command prints what it has found', { tags: 'long' }, async () => {
  const child = spawn(process.execPath, [inject('program'), 'chaos', ...suite], {
    cwd: shop,
    env: { ...process.env, NO_COLOR: '1', BACKLOT_VITEST: built() },
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (out === '') child.kill('SIGINT');
    out += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  expect(out).toMatch(/2 tests, \d+ cells in [\d.]+ s: \d+ red/);
  expect(out).toMatch(/Left out: \d+ cells?\./);
  expect(code).toBe(1);
});

test.each([
  [
    'a suite that fails',
    ['mutate'],
    'red.cases.ts',
    /'one and one' fails as it is: .*Make the suite pass first/,
  ],
  [
    'a suite without requests',
    ['mutate'],
    'still.cases.ts',
    /1 test was run, and none received a JSON response/,
  ],
  [
    'a suite without requests, under faults',
    ['chaos'],
    'still.cases.ts',
    /none sends a request to Backlot, or, with vitest, by fetch or XMLHttpRequest/,
  ],
  [
    'a suite without requests under way at once',
    ['chaos', '--races'],
    'page.test.ts',
    /2 tests were run, and none has requests under way at once/,
  ],
  ['no test file', ['mutate'], 'none.cases.ts', /There are no tests/],
])('%s is told in one line', async (_, command, files, text) => {
  const { code, err, out } = await run([...command, ...suite], { CASES: files });
  expect(out).toBe('');
  expect(err).toMatch(text);
  expect(err.trim().split('\n')).toHaveLength(1);
  expect(code).toBe(2);
});

test.each([
  [['mutate'], 'mutate requires the command of your tests: backlot mutate -- vitest run'],
  [['chaos', '--', 'mocha'], `chaos runs the tests of vitest, jest, playwright, not 'mocha'`],
  [['chaos', '--', 'npx', 'jest'], 'Cannot start jest: it is not installed'],
  [
    ['chaos', '--openapi', 'openapi.json', '--', 'npx', 'jest'],
    '--openapi names requests in tests of vitest',
  ],
  [['chaos', '--fault', 'rain', ...suite], '--fault must be one of drop, drop after, malformed'],
  [
    ['chaos', '--races', '--fault', 'drop', ...suite],
    '--races and --fault cannot be used together.',
  ],
  [['chaos', '--out', 'grid.pdf', ...suite], '--out must be a name that ends in .html'],
  [['mutate', '--baseline', 'page.ts', ...suite], 'Cannot read page.ts'],
  [
    ['chaos', '--baseline', './.backlot/chaos.json', ...suite],
    '--baseline must be another file than .backlot/chaos.json',
  ],
  [['mutate', '--budget', 'soon', ...suite], '--budget must be a duration such as 60s'],
])('%j is refused', async (args, text) => {
  const { code, err } = await run(args);
  expect(err).toContain(text);
  expect(code).toBe(2);
});
