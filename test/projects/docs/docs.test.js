import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { createBackOffice } from 'backlot';
import * as esbuild from 'esbuild';
import { chromium } from 'playwright';
import { build, createServer, preview } from 'vite';
import { launchOptions } from './launch.ts';

const read = (name) => readFileSync(`blocks/${name}`, 'utf8');
const blocks = readdirSync('blocks').filter((name) => /^[\w-]+\.ts$/.test(name));

/** They serve until they are ended, or lack what this project has. */
const others = ['demos-demos-and-access.ts', 'errors-msw-not-installed.ts'];

const scripts = blocks.filter(
  (name) => /from 'backlot\/(node|express|fetch)'/.test(read(name)) && !others.includes(name),
);

for (const name of scripts) {
  test(`${name} runs in Node.js`, () => {
    const printed = execFileSync(process.execPath, [`blocks/${name}`], { encoding: 'utf8' });
    const [, error] = /^errors-(.*)\.ts$/.exec(name) ?? [];
    if (error !== undefined && !isLastValue(name))
      assert.match(printed, new RegExp(`/errors#${error}\\b`));
  });
}

/** Whether a block ends with a value, which a page of the site shows. */
function isLastValue(name) {
  return /^message;$/m.test(read(name));
}

const definitions = blocks.filter((name) => /^export default (extend|define)Api/m.test(read(name)));

for (const name of definitions) {
  test(`${name} is a sound definition`, () => {
    const program = 'node_modules/backlot/dist/cli/main.js';
    const args = [program, 'check', '--config', `blocks/${name}`];
    const said = execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' });
    assert.match(said, /scenarios are sound/);
  });
}

test('the definition with mistakes says what they are', () => {
  const name = 'errors-invalid-definition.ts';
  const printed = execFileSync(process.execPath, [`blocks/${name}`], { encoding: 'utf8' });
  assert.match(printed, /errors#invalid-definition/);
});

test('the fetch handler of the docs answers', async () => {
  const { mock } = await import('./blocks/as-a-server-any-host-that-calls-fetch.ts');
  assert.equal((await mock(new Request('http://localhost/mock/api/orders/1'))).status, 200);
});

test('a loader forwards the session of its request', async () => {
  const { loadOrder } = await import('./blocks/control-api-playwright-2.ts');
  const args = [
    'node_modules/backlot/dist/cli/main.js',
    '--port',
    '14000',
    '--sessions',
    'required',
  ];
  const end = await start(args, 'http://127.0.0.1:14000/_backlot/health');
  try {
    const named = new Request('http://localhost/', { headers: { cookie: 'backlot-session=ada' } });
    const statuses = [await loadOrder(1, named), await loadOrder(1, new Request(named.url))];
    assert.deepEqual(
      statuses.map(({ status }) => status),
      [200, 400],
    );
  } finally {
    end();
  }
});

test('vitest and Playwright report what the tests have met of the contract', () => {
  // In a test of its own, Node.js runs no tests.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  for (const args of [
    ['vitest', 'run', '--config', 'vitest.coverage.ts', 'in-tests-in-tests'],
    ['playwright', 'test', '--config', 'playwright.coverage.ts'],
  ]) {
    const { stderr } = spawnSync('npx', args, { encoding: 'utf8', env });
    assert.match(stderr, /Contract coverage of statuses is [\d.]+%, below the threshold/);
  }
});

/** Starts a program and waits until it answers at a URL. Returns what ends it. */
async function start(args, url, env = {}) {
  const program = spawn(process.execPath, args, { env: { ...process.env, ...env } });
  for (let left = 100; left > 0; left--) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return () => program.kill();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  program.kill();
  return assert.fail(`${args.join(' ')} does not answer at ${url}`);
}

test('the Express app of the documents answers', async () => {
  const url = 'http://127.0.0.1:13000/backend/api/orders/1';
  const end = await start(['blocks/demos-demos-and-access.ts'], url, { PORT: '13000' });
  try {
    assert.equal((await (await fetch(url)).json()).id, 1);
  } finally {
    end();
  }
});

let browser;

before(async () => {
  browser = await chromium.launch(launchOptions);
});

after(() => browser?.close());

test('each browser has a shop of its own behind the proxy of Vite', async () => {
  const program = 'node_modules/backlot/dist/cli/main.js';
  const args = [program, '--port', '14000', '--sessions', 'own', '--quiet'];
  const end = await start(args, 'http://127.0.0.1:14000/_backlot/health');
  const vite = await (await createServer({ logLevel: 'error', server: { port: 13001 } })).listen();
  try {
    const [url] = vite.resolvedUrls.local;
    const pages = [await (await browser.newContext()).newPage(), await browser.newPage()];
    const totals = [];
    for (const page of pages) {
      await page.goto(url);
      totals.push(await page.evaluate(createOrder));
    }
    assert.deepEqual(totals, [121, 121]);
    assert.equal(await pages[0].evaluate(createOrder), 122);
    await pages[0].goto(`${url}_backlot/#/orders/122`);
    await pages[0].locator('#order-title').waitFor();
  } finally {
    await vite.close();
    end();
  }
});

/** Creates an order in a page, and returns its id. */
const createOrder = async () => {
  const body = new URLSearchParams({ channel: '1', user: '1', currency: 'EUR' });
  return (await (await fetch('/api/orders/', { method: 'POST', body })).json()).id;
};

const bundlers = {
  async Vite() {
    await build({
      configFile: false,
      root: 'app',
      publicDir: '../public',
      logLevel: 'error',
      build: { outDir: 'Vite' },
    });
  },
  async esbuild() {
    await esbuild.build({
      entryPoints: ['app/main.ts'],
      outdir: 'app/esbuild',
      bundle: true,
      splitting: true,
      minify: true,
      format: 'esm',
    });
    const page = readFileSync('app/index.html', 'utf8');
    writeFileSync('app/esbuild/index.html', page.replace('main.ts', 'main.js'));
    cpSync('public', 'app/esbuild', { recursive: true });
  },
};

for (const [bundler, bundle] of Object.entries(bundlers)) {
  test(`the page of README and the client of the docs, bundled by ${bundler}, get responses`, async () => {
    await bundle();
    const server = await preview({
      configFile: false,
      root: 'app',
      logLevel: 'error',
      build: { outDir: bundler },
      preview: { port: 13002 },
    });
    const page = await browser.newPage();
    const { db, fetch: call } = createBackOffice({ scenario: 'sale' });
    const user = { email: 'ada', firstName: 'Ada', lastName: 'King', plainPassword: 'secret' };
    const invalid = await call('/api/users/', { ...json, body: JSON.stringify(user) });
    assert.equal(invalid.status, 400);
    const expected = [
      db.orders.get(1).items_total,
      ['POST /api/users/: 400 Validation Failed', await invalid.json()],
    ];
    try {
      const said = page.waitForEvent('console', (message) => message.type() === 'log');
      await page.goto(server.resolvedUrls.local[0]);
      const cart = await (await said).args()[0].jsonValue();
      assert.deepEqual([cart.id, cart.state], [1, 'cart']);
      await page.waitForFunction(() => document.title.startsWith('['));
      assert.deepEqual(JSON.parse(await page.title()), expected);
    } finally {
      await page.close();
      await server.close();
    }
  });
}

const json = { method: 'POST', headers: { 'content-type': 'application/json' } };

/** Bytes, minified, of what the client of the docs adds to a page for production. */
const maxClientBytes = 1000;

const client = `${read('client.ts')}\nglobalThis.call = call;`;
const ofTypes = `
  import { type OrderView, type UserView } from 'backlot/contract';
  globalThis.call = (order: OrderView, user: UserView) => order.id === user.id;
`;

test('the client of the docs has at most 20 lines', () => {
  assert.ok(read('client.ts').trimEnd().split('\n').length <= 20);
});

for (const [name, source] of Object.entries({
  'the client of the docs': client,
  'the client with backlot/contract': client.replace('backlot/client', 'backlot/contract'),
  'a page that imports types': ofTypes,
})) {
  test(`${name} is at most 1 kB of a bundle`, async () => {
    writeFileSync('client.ts', source);
    const sizes = { esbuild: await sizeByEsbuild(), Vite: await sizeByVite() };
    console.log(`measured: ${name}: ${JSON.stringify(sizes)}`);
    assert.ok(
      sizes.esbuild <= maxClientBytes && sizes.Vite <= maxClientBytes,
      JSON.stringify(sizes),
    );
  });
}

async function sizeByEsbuild() {
  const { outputFiles } = await esbuild.build({
    entryPoints: ['client.ts'],
    bundle: true,
    minify: true,
    format: 'esm',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    write: false,
  });
  return outputFiles.reduce((sum, { contents }) => sum + contents.length, 0);
}

async function sizeByVite() {
  const { output } = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, rolldownOptions: { input: 'client.ts' } },
  });
  return output.reduce((sum, { code = '' }) => sum + code.length, 0);
}
