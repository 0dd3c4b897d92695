import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

/** The compiler of a project whose code a bundler or Node.js loads. */
const compiler = (options) => ({
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'es2024',
      lib: ['es2024', 'dom', 'dom.iterable'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
      ...options,
    },
    exclude: ['backlot.test.mjs'],
  }),
});
const bundled = compiler({ module: 'esnext', moduleResolution: 'bundler', types: ['vite/client'] });

const kinds = {
  vitest: { packages: ['vitest'] },
  'vitest-node-next': {
    packages: ['vitest'],
    type: 'module',
    files: compiler({ module: 'nodenext' }),
    checks: ['npx tsc'],
  },
  'vitest-bundler': {
    packages: ['vitest', 'vite'],
    type: 'commonjs',
    files: { ...bundled, 'test/other.test.ts': 'export {};' },
    checks: ['npx tsc'],
  },
  jest: { packages: ['jest'], type: 'commonjs' },
  'jest-module': { packages: ['jest'], type: 'module', files: bundled },
  playwright: { packages: ['@playwright/test'] },
  'playwright-typescript': {
    packages: ['@playwright/test', 'vite'],
    type: 'commonjs',
    files: { ...bundled, 'e2e/other.ts': 'export {};' },
    checks: ['npx tsc'],
  },
  'node-test': { packages: [] },
  vite: {
    packages: ['vite'],
    type: 'module',
    files: {
      ...bundled,
      'index.html': '<script type="module" src="/src/main.ts"></script>',
      'src/main.ts': "await (await import('./mocks')).startMocks();\nexport {};",
    },
    checks: ['npx tsc', 'npx vite build --logLevel error'],
  },
};

for (const [name, { packages, type, files = {}, checks = [] }] of Object.entries(kinds)) {
  test(`${name}: from a blank project to a green test`, () => {
    const folder = project(name, { packages, type, files });
    const started = performance.now();
    const printed = shell('npx backlot init --api-path /api/v1', folder);
    const [, command] = /^ {2}(\S.*\S) {2,}the test$/m.exec(printed);
    assert.match(shell(`${command} 2>&1`, folder), /\b1 pass|pass(ed)? 1\b|1 passed/);
    console.log(`measured: ${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
    for (const check of checks) shell(check, folder);
    // Without the flag that ES modules require.
    if (packages.includes('jest')) shell('npx jest --passWithNoTests', folder);
    const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    assert.equal(scripts.mock, 'backlot');
    assert.match(shell('npx backlot check', folder), /are sound/);
  });
}

test('the docs install what this test installs, and type what it types', () => {
  const block = readFileSync('blocks/five-minutes-6-in-your-project.console', 'utf8');
  assert.equal(block, 'npm i -D backlot msw\nnpx backlot init\n');
});

test('next: the route answers as the definition says', async () => {
  const files = {
    ...compiler({ module: 'esnext', moduleResolution: 'bundler', jsx: 'react-jsx' }),
    'app/layout.tsx':
      'export default ({ children }: { children: unknown }) => <html><body>{children as never}</body></html>;',
    'app/page.tsx': 'export default () => <p>shop</p>;',
  };
  const folder = project('next', { packages: ['next', 'react', 'react-dom'], files });
  shell('npx backlot init --api-path /api/v1', folder);
  shell('NEXT_TELEMETRY_DISABLED=1 npx next build', folder);
  const stdio = ['ignore', 'pipe', 'inherit'];
  const next = spawn('npx', ['next', 'start', '--port', '4519'], {
    cwd: folder,
    stdio,
    detached: true,
  });
  try {
    for await (const part of next.stdout) if (String(part).includes('Ready')) break;
    const response = await fetch('http://127.0.0.1:4519/mock/api/v1/channels/1');
    assert.equal(response.status, 200);
    assert.match(await response.text(), /"self":\{"href":"\/mock\/api\/v1\/payment-methods\/1"/);
  } finally {
    process.kill(-next.pid);
  }
});

/** Without a type, as `create-next-app` leaves it; `npm init` writes `commonjs`. */
function project(name, { packages, type, files }) {
  const folder = join(import.meta.dirname, name);
  const dependencies = Object.fromEntries(packages.map((one) => [one, '*']));
  const manifest = { name, private: true, type, dependencies };
  const all = { 'package.json': JSON.stringify(manifest, null, 2), ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function shell(command, cwd) {
  // In a test of its own, Node.js runs no tests.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  try {
    return execFileSync('sh', ['-c', command], { cwd, env, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    throw new Error(`${command}\n${error.stdout}\n${error.stderr}`);
  }
}
