import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type AnySchema } from 'ajv';
import { schema } from 'mutation-testing-report-schema';
import { beforeAll, expect, inject, test } from 'vitest';
import { startProgramAt, type Ended } from '../support/program.ts';
import { built, findingsIn, openSuite, suite, temporaryFolder } from '../support/suite.ts';

const { shop, run } = openSuite();

let mutants: Ended;
let cells: Ended;

/** Returns the flags that have a command write reports to the folder of the suite. */
function outs(...files: readonly string[]): string[] {
  return files.flatMap((file) => ['--out', file]);
}

beforeAll(async () => {
  mutants = await run(
    ['mutate', ...outs('mutants.json', 'mutants.html', 'mutants.sarif'), ...suite],
    {
      CASES: '{page.test,odd.cases,detached.cases}.ts',
    },
  );
  cells = await run(
    ['chaos', ...outs('grid.html', 'grid.xml', 'grid.json', 'grid.sarif'), ...suite],
    { CASES: '{page.test,odd.cases,detached.cases,expected.cases}.ts' },
  );
});

/** Returns the text of a file in the folder of the suite. */
function written(name: string): string {
  return readFileSync(join(shop, name), 'utf8');
}

interface MutantsReport {
  readonly files: Readonly<
    Record<string, { readonly source: string; readonly mutants: readonly ReportedMutant[] }>
  >;
  readonly testFiles: Readonly<
    Record<string, { readonly tests: readonly { readonly id: string; readonly name: string }[] }>
  >;
}

interface ReportedMutant {
  readonly description: string;
  readonly status: string;
  readonly statusReason?: string;
  readonly killedBy?: readonly string[];
}

const order = 'GET /api/orders/:order_id/ 200';
const channel = 'GET /api/channels/:id 200';

/** Returns the names of the tests that notice the mutants of a field, once each. */
function noticing(field: string): string[] {
  const { files, testFiles } = JSON.parse(written('mutants.json')) as MutantsReport;
  const names = new Map(
    Object.values(testFiles).flatMap(({ tests }) => tests.map(({ id, name }) => [id, name])),
  );
  const ids = files[`${order}.json`]!.mutants.filter(({ description }) =>
    description.startsWith(`${field}:`),
  ).map(({ killedBy: [id] = [] }) => id);
  return [...new Set(ids.map((id) => names.get(id!) ?? 'none'))];
}

interface SarifResult {
  readonly message: { readonly text: string };
  readonly locations: readonly [
    {
      readonly physicalLocation: {
        readonly artifactLocation: { readonly uri: string };
        readonly region: { readonly startLine: number };
      };
    },
  ];
}

/** Returns the first words of the findings in a file of SARIF, each with the line of source that it has. */
function linesIn(file: string): string[] {
  const { runs } = JSON.parse(written(file)) as {
    readonly runs: readonly [{ readonly results: readonly SarifResult[] }];
  };
  return runs[0].results.map(({ message, locations: [{ physicalLocation }] }) => {
    const { artifactLocation, region } = physicalLocation;
    const line = written(artifactLocation.uri).split('\n')[region.startLine - 1];
    return `${/^[^:]*(?::\w[^:]*)*/.exec(message.text)?.[0]}: ${line}`;
  });
}

test('each red cell has the line of the page that asks for the request', () => {
  const lines = linesIn('grid.sarif');
  expect(lines).not.toContainEqual(expect.stringContaining('showOrder('));
  expect(lines).toContainEqual(
    expect.stringMatching(/^GET \/api\/orders[^]*show\(await read\(id\)\);$/),
  );
  expect(lines).toContainEqual(
    expect.stringMatching(/^PUT [^]*addEventListener\('click', \(\) => void pay/),
  );
});

test('each survivor has the line of the page that reads its field, also behind types that are removed', () => {
  const start = `${order} `;
  const lines = linesIn('mutants.sarif').flatMap((line) =>
    line.startsWith(start) ? [line.slice(start.length)] : [],
  );
  expect(lines).toContainEqual(
    expect.stringMatching(/^items\[\]\.\w+: <ul>\$\{items\.map\(\(item\) => /),
  );
  expect(lines).toContainEqual(expect.stringMatching(/^state: function show\(\{ total, state/));
});

interface Cell {
  readonly test: string;
  readonly endpoint: string;
  readonly fault: string;
  readonly tone: string;
  readonly reason: string;
  readonly trace?: string;
}

function reportedCells(): readonly Cell[] {
  return (JSON.parse(written('grid.json')) as { cells: readonly Cell[] }).cells;
}

/** Returns what the page of a test does with each fault of its first endpoint. */
function byFault(name: string): Readonly<Record<string, Pick<Cell, 'tone' | 'reason'>>> {
  const ofTest = reportedCells().filter((cell) => cell.test === name);
  return Object.fromEntries(ofTest.map(({ fault, tone, reason }) => [fault, { tone, reason }]));
}

test('mutate finds the fields that no test asserts, says what would notice, and writes a report in the format of the schema', () => {
  expect(mutants.code, mutants.err).toBe(1);
  const findings = findingsIn(mutants);
  expect(findings).toContain(`✗ ${order} state: "cart" → "pending"`);
  expect(findings).toContainEqual(expect.stringContaining(`✗ ${order} items[].total: `));
  expect(noticing('checkout_state')).toEqual(['a payment leads to the next step']);
  expect(mutants.out).toMatch(
    /^'an order .*' odd\.cases\.ts\n(  .*\n)*  expect\(document\.body\.textContent\)\.toContain\("cart"\);/m,
  );
  const report = JSON.parse(written('mutants.json')) as MutantsReport;
  const isValid = new Ajv({ strict: false, validateFormats: false }).compile(schema as AnySchema);
  expect(isValid(report), JSON.stringify(isValid.errors)).toBe(true);
  const { source, mutants: ofOrder } = report.files[`${order}.json`]!;
  expect(source).toContain('"total": ');
  expect(new Set(ofOrder.map(({ status }) => status))).toEqual(
    new Set(['Killed', 'Survived', 'Ignored']),
  );
  expect(written('mutants.html')).toContain('<h1>What the tests notice</h1>');
});

test('chaos finds the failures that a page does not survive, and saves a trace of each', async () => {
  expect(cells.code, cells.err).toBe(1);
  expect(cells.out).toContain(
    '✗ GET /api/orders/:order_id/ under drop, malformed, cut off, 503, 401, 429: The page says nothing: it still shows “Loading …”.',
  );
  expect(cells.out).toContain(
    '✗ PUT /api/checkouts/:order_id under drop after: The page says nothing, and shows what is no longer so: GET /api/orders/121: checkout_state is "payment", not "shipping".',
  );
  const all = reportedCells();
  const red = all.filter(({ tone }) => tone === 'red');
  expect(red.length).toBeGreaterThan(10);
  for (const { trace } of red) expect(existsSync(join(shop, trace!)), trace).toBe(true);
  expect(written('grid.xml').match(/<failure /g)).toHaveLength(red.length);
  expect(written('grid.html')).toContain('<h1>What the pages survive</h1>');
  const server = await startProgramAt(shop, {}, '--quiet');
  expect((await server.call('GET /_backlot/chaos')).body).toEqual(JSON.parse(written('grid.json')));
  expect((await server.call('GET /_backlot/health')).body.may.findings).toBe(true);
  const trace = await fetch(
    `${server.url}/_backlot/chaos?${new URLSearchParams({ trace: red[0]!.trace! })}`,
  );
  expect(await trace.text()).toBe(written(red[0]!.trace!));
});

test('tests that are expected to fail judge nothing, and fake timers and snapshots do no harm', () => {
  for (const { out } of [mutants, cells])
    expect(out).toContain(`odd.cases.ts 'a known bug' is expected to fail, and judges nothing.`);
  const [timers, snapshot] = [
    'an order shows its total and a countdown, with fake timers that stay',
    'a total looks as its snapshot',
  ];
  expect(noticing('total').toSorted()).toEqual([snapshot, timers]);
  expect(findingsIn(mutants)).toContain(`✗ ${order} items: empty list`);
  for (const name of [timers, snapshot])
    expect(Object.values(byFault(name)).map(({ tone }) => tone)).toEqual(Array(7).fill('green'));
});

test('what an app shows outside of the document is judged, and a test that shows nothing is not', () => {
  expect(findingsIn(mutants)).toContain(`✗ ${channel}: no test looks at this response`);
  expect(mutants.out).toContain('Not judged, because no test looks at the response: 6 mutants.');
  expect(byFault('a channel is shown')).toMatchObject({
    '503': { tone: 'green' },
    malformed: { tone: 'green' },
  });
  expect(byFault('the API is asked')).toMatchObject({
    '503': { tone: 'green', reason: expect.stringContaining('503') },
    malformed: { tone: 'green', reason: 'Nothing reads the response, and the test passes.' },
  });
});

test('what a test expects under a fault is the verdict, and an oracle of the user judges the rest', () => {
  const said = 'As the test expects: the page says “The order cannot be shown now.”.';
  expect(byFault('an order says that it cannot be shown')).toMatchObject({
    drop: { tone: 'green', reason: said },
    '503': { tone: 'green', reason: said },
    '401': {
      tone: 'red',
      reason: `expected 'The order cannot be shown now.' to contain 'Sign in'`,
    },
    '429': { tone: 'red', reason: 'shows a support number: there is none (429)' },
    slow: { tone: 'red', reason: 'shows a support number: there is none (slow)' },
  });
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
    expect(findingsIn(third)).toEqual([findingsIn(first)[0]]);
    expect(known.findings.length).toBeGreaterThan(findingsIn(first).length);
    expect(known.findings[0]).toMatch(/^GET .* items\[\]\.\w+: [a-z ]+$/);
  },
);

test(
  'a page that tells its user what went wrong, and reads again, survives all faults',
  { tags: 'long' },
  async () => {
    const ended = await run(['chaos', ...suite], { CAREFUL: 'yes' });
    expect(ended.code, ended.out + ended.err).toBe(0);
    expect(ended.out).toMatch(/2 tests, 29 cells in [\d.]+ s: 0 red, 29 green, 0 grey\./);
  },
);

test('a suite that fails is told in one line, and no snapshot is written', async () => {
  const { code, out, err } = await run(['mutate', ...suite], { CASES: 'unwritten.cases.ts' });
  expect(err).toContain(
    "No test passes as it is. unwritten.cases.ts: 'an order looks as a snapshot that is not written yet' fails: Snapshot",
  );
  expect(err.trim().split('\n')).toHaveLength(1);
  expect(out).toBe('');
  expect(code).toBe(2);
  expect(existsSync(join(shop, '__snapshots__/unwritten.cases.ts.snap'))).toBe(false);
});

test(
  'a command that is interrupted twice at once prints what it has found',
  { tags: 'long' },
  async () => {
    const child = spawn(process.execPath, [inject('program'), 'chaos', ...suite], {
      cwd: shop,
      env: { ...process.env, NO_COLOR: '1', BACKLOT_VITEST: built() },
    });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (out === '') {
        child.kill('SIGINT');
        setTimeout(() => child.kill('SIGINT'), 50);
      }
      out += text;
    });
    const [code] = (await once(child, 'close')) as [number | null];
    expect(out).toMatch(/2 tests, \d+ cells in [\d.]+ s: \d+ red/);
    expect(out).toMatch(/Left out: \d+ cells? of \d+ rows?\./);
    expect(code).toBe(1);
  },
);
