/** @module-tag chromium */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { chromiumLaunch } from '../support/chromium.ts';
import { runProgramWith, startProgram, type Ended } from '../support/program.ts';
import { freePort } from '../support/redis.ts';
import { root } from '../support/tree.ts';
import { commit, git, write } from '../projects/suite-runners/repository.ts';

let shop: string;
let variables: Record<string, string>;

/** Copies the project to where it has the built package among its own. */
beforeAll(async () => {
  shop = mkdtempSync(join(tmpdir(), 'backlot-playwright-'));
  cpSync(join(root, 'test/projects/playwright-suite'), shop, { recursive: true });
  mkdirSync(join(shop, 'node_modules/@playwright'), { recursive: true });
  symlinkSync(join(inject('program'), '../../..'), join(shop, 'node_modules/backlot'));
  const own = 'node_modules/@playwright/test';
  symlinkSync(join(root, own), join(shop, own));
  const { executablePath, env } = await chromiumLaunch();
  const chromium = executablePath === undefined ? {} : { CHROMIUM_PATH: executablePath };
  variables = { ...env, ...chromium, BACKLOT_PROGRAM: `node ${inject('program')}` };
});

afterAll(() => rmSync(shop, { recursive: true, force: true }));

/** Returns the variables of a run whose servers have ports that nothing else uses. */
async function environment(env: Readonly<Record<string, string>> = {}) {
  return { ...variables, PORTS: `${await freePort()},${await freePort()}`, ...env };
}

async function run(
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
): Promise<Ended> {
  return runProgramWith(await environment(env), shop, ...args);
}

const suite = ['--', 'playwright', 'test'];

test(
  'mutate finds what the tests of pages in a browser and of rendered pages do not notice, with one worker and with two',
  {
    tags: 'long',
  },
  async () => {
    const report = join(shop, 'mutants.json');
    const response = 'GET /api/orders/:order_id/ 200';
    const state = 'state: "cart" → "pending"';
    const names = ['total: one more', 'state: other member'];
    const only = names.flatMap((name) => ['--only', `${response} ${name}`]);
    const command = ['mutate', '--out', report, ...only, ...suite];
    const one = await run([...command, '--workers', '1']);
    expect(one.code, one.err).toBe(1);
    expect(one.out.split('\n').filter((line) => line.startsWith('✗ '))).toEqual([
      `✗ ${response} ${state}`,
    ]);
    expect(one.out).toContain(`await expect(page.locator('body')).toContainText("cart");`);
    const { files } = JSON.parse(readFileSync(report, 'utf8')) as {
      files: Record<string, { mutants: { status: string }[] }>;
    };
    const mutants = Object.values(files).flatMap((file) => file.mutants);
    expect(mutants.filter(({ status }) => status === 'Killed')).toHaveLength(1);
    const two = await run([...command, '--workers', '2']);
    expect(two.out.replaceAll(/[\d.]+ s/g, '')).toBe(one.out.replaceAll(/[\d.]+ s/g, ''));
    expect(existsSync(join(shop, 'test-results'))).toBe(false);
  },
);

test('chaos judges what a page shows, and what a server renders', { tags: 'long' }, async () => {
  const report = join(shop, 'grid.json');
  const faults = ['drop after', 'slow', '503'].flatMap((fault) => ['--fault', fault]);
  const { code, err } = await run(['chaos', ...faults, '--out', report, ...suite]);
  expect(code, err).toBe(1);
  const { cells } = JSON.parse(readFileSync(report, 'utf8')) as {
    cells: { test: string; endpoint: string; fault: string; reason: string; trace?: string }[];
  };
  const reasonOf = (name: string, endpoint: string, fault: string): string | undefined =>
    cells.find(
      (cell) => cell.test === name && cell.endpoint.startsWith(endpoint) && cell.fault === fault,
    )?.reason;
  const paying = 'a payment leads to the next step';
  expect(reasonOf(paying, 'PUT', 'drop after')).toBe(
    'The page says nothing, and shows what is no longer so: GET /api/orders/121: checkout_state is "payment", not "shipping".',
  );
  expect(reasonOf(paying, 'PUT', 'slow')).toBe('The page shows no sign that it waits.');
  expect(reasonOf('an order shows its total', 'GET', '503')).toBe(
    'Nobody catches Error: Status 503.',
  );
  expect(reasonOf('a server renders the total', 'GET', '503')).toBe(
    'The page says nothing, and shows “€NaN”.',
  );
  expect(reasonOf('a server renders the total', 'GET', 'slow')).toBe(
    'The browser waits for a page from the server.',
  );
  for (const { trace } of cells.filter((cell) => cell.trace !== undefined))
    expect(existsSync(join(shop, trace!)), trace).toBe(true);
});

/** Returns a document of one endpoint. */
function openapiOf(summary: string): string {
  return JSON.stringify({ paths: { '/api/orders/{order_id}': { get: { summary } } } });
}

test(
  'with --since, all tests run for a change of a page, and else those that have changed',
  { tags: 'long' },
  async () => {
    const openapi = join(shop, 'openapi.json');
    write(shop, {
      'openapi.json': openapiOf('an order'),
      '.gitignore': 'node_modules\n*.report.json\n',
    });
    git(shop, 'init', '--quiet', '--initial-branch', 'main');
    commit(shop);
    const command = ['chaos', '--since', 'main', '--max', '1', '--openapi', openapi];
    const out = ['--out', 'since.report.json', ...suite];
    const since = async () => {
      const ended = await run([...command, ...out], { CASES: '{order,still}.spec.ts' });
      const { cells } = JSON.parse(readFileSync(join(shop, 'since.report.json'), 'utf8')) as {
        cells: { endpoint: string }[];
      };
      return { ...ended, endpoints: new Set(cells.map(({ endpoint }) => endpoint)) };
    };
    write(shop, { 'README.md': 'A shop', 'tests/still.spec.ts': '' });
    const still = await since();
    expect(still.out).toBe(
      'No test and no module of one has changed since main: nothing was tried.\n',
    );
    write(shop, { 'openapi.json': openapiOf('another order') });
    const { endpoints } = await since();
    expect(endpoints).toEqual(new Set(['GET /api/orders/:order_id/']));
    commit(shop);
    write(shop, { 'server.js': `${readFileSync(join(shop, 'server.js'), 'utf8')}\n` });
    const all = await since();
    expect(all.out).toContain(
      'All tests are run: Playwright does not know which of them load server.js, which has changed.\n',
    );
    expect([...all.endpoints].toSorted()).toEqual([
      'GET /api/orders/:order_id/',
      'PUT /api/checkouts/:order_id',
    ]);
  },
);

test(
  'chaos --races sends the responses to requests of a page in another order',
  { tags: 'long' },
  async () => {
    const report = join(shop, 'races.json');
    const races = ['chaos', '--races', '--out', report, ...suite];
    const CASES = 'races.spec.ts';
    const { code, out, err } = await run(races, { CASES });
    expect(code, out + err).toBe(1);
    expect(out).toContain(
      '✗ GET /api/products/ (2) before GET /api/products/: An older response overwrites a newer one: the page shows “8 found” instead of “1 found”.',
    );
    const { cells } = JSON.parse(readFileSync(report, 'utf8')) as { cells: { trace?: string }[] };
    expect(cells).toHaveLength(1);
    expect(existsSync(join(shop, cells[0]!.trace!))).toBe(true);
    const careful = await run(races, { CASES, CAREFUL: 'yes' });
    expect(careful.out).toMatch(/2 tests, 1 cell in [\d.]+ s: 0 red, 1 green, 0 grey\./);
    expect(careful.code, careful.err).toBe(0);
  },
);

test(
  'an interrupted command ends Playwright with its servers, and prints what it has found',
  {
    tags: 'long',
  },
  async () => {
    const env = await environment();
    const child = spawn(process.execPath, [inject('program'), 'chaos', ...suite], {
      cwd: shop,
      env: { ...process.env, ...env, NO_COLOR: '1' },
    });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (out === '') child.kill('SIGINT');
      out += text;
    });
    const [code] = (await once(child, 'close')) as [number | null];
    expect(out).toMatch(/Left out: \d+ cells? of \d+ rows?\./);
    expect(code).toBe(1);
    for (const port of env.PORTS.split(',')) {
      await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
    }
  },
);

test.each([
  ['a suite that fails', 'red.spec.ts', /No test passes as it is\. .*'one and one' fails: /],
  ['a suite without Backlot', 'still.spec.ts', /1 test was run, and none received a JSON response/],
  ['no test file', 'none.spec.ts', /There are no tests/],
])('%s is told in one line', async (_, CASES, text) => {
  const { code, err, out } = await run(['mutate', ...suite], { CASES });
  expect(out).toBe('');
  expect(err).toMatch(text);
  expect(err.trim().split('\n')).toHaveLength(1);
  expect(code).toBe(2);
});

test('a server that was running before is told in one line', async () => {
  const { url } = await startProgram('--sessions', 'required');
  const PORTS = `${new URL(url).port},${await freePort()}`;
  const { code, err } = await run(['chaos', ...suite], { REUSE: 'yes', PORTS });
  expect(err).toBe(
    `backlot: The server at ${url} was running before. Stop it: the command requires that webServer of the configuration starts it.\n`,
  );
  expect(code).toBe(2);
});
