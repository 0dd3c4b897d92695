/**
 * Builds and packs the package outside of the tree, then looks at it as its users get it: its files, its metadata, its
 * types, its entry points and its program.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkBundleSize } from './bundle-size.ts';
import { checkStart } from './check-start.ts';
import { useInstalled } from './package-install.ts';

interface Manifest {
  name: string;
  version: string;
  bin: Record<string, string>;
  exports: Record<string, unknown>;
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
}

const root = join(import.meta.dirname, '../..');
const environment = {
  ...process.env,
  PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
};
const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const work = mkdtempSync(join(tmpdir(), 'backlot-package-'));

try {
  const tarball = pack(build(join(work, 'source')));
  const installed = install(tarball, join(work, 'user'));
  checkFiles(installed);
  run('publint', ['run', tarball, '--strict']);
  run('attw', [tarball, '--profile', 'esm-only', '--no-definitely-typed', '--no-emoji']);
  checkEntries(installed);
  await checkBundleSize(dirname(dirname(installed)));
  await checkPrograms(installed);
  useInstalled(tarball, join(work, 'empty'), run);
  console.log(`package: ${manifest.name} ${manifest.version} is fit to be installed`);
} catch (error) {
  console.error(`package: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

function build(folder: string): string {
  for (const name of ['package.json', 'README.md', 'LICENSE', 'fixtures', 'scenarios']) {
    if (existsSync(join(root, name)))
      cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  const dist = join(folder, 'dist');
  run('tsc', ['-p', '.tsconfig.build.json', '--outDir', dist]);
  run('node', ['test/project/build-program.ts', join(dist, 'cli')]);
  return folder;
}

function pack(folder: string): string {
  const options = ['--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', work];
  run('npm', ['pack', ...options], folder);
  return join(work, `${manifest.name}-${manifest.version}.tgz`);
}

/** As npm would, but with links for what it depends on: a package that it forgot to name cannot be found. */
function install(tarball: string, user: string): string {
  const modules = join(user, 'node_modules');
  const folder = join(modules, manifest.name);
  mkdirSync(folder, { recursive: true });
  run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  return folder;
}

function checkFiles(folder: string): void {
  const files = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  const wanted =
    /^(package\.json|README\.md|LICENSE|dist\/.+\.(js|d\.ts)(\.map)?|(fixtures|scenarios)\/.+\.json)$/;
  const strangers = files.filter((file) => !wanted.test(file));
  if (strangers.length > 0) throw new Error(`should not be packed: ${strangers.join(', ')}`);
  const missing = ['README.md', 'LICENSE'].filter((file) => !files.includes(file));
  if (missing.length > 0) throw new Error(`is missing: ${missing.join(', ')}`);
}

function checkEntries(folder: string): void {
  const user = dirname(dirname(folder));
  const entries = Object.keys(manifest.exports)
    .filter((entry) => entry !== './package.json')
    .map((entry) => join(manifest.name, entry));
  const elsewhere = [`${manifest.name}/browser`, `${manifest.name}/vitest`];
  for (const entry of entries.filter((one) => !elsewhere.includes(one))) {
    run('node', ['--input-type=module', '--eval', `await import('${entry}')`], user);
  }
  checkBrowserEntry(user);
  checkVitestEntry(user);
}

/** Bundles it as a page would; what only Node has cannot be found then. */
function checkBrowserEntry(user: string): void {
  writeFileSync(join(user, 'page.js'), `export { startWorker } from '${manifest.name}/browser';`);
  run(
    'esbuild',
    ['page.js', '--bundle', '--format=esm', '--platform=browser', '--outfile=page.out.js'],
    user,
  );
}

function checkVitestEntry(user: string): void {
  writeFileSync(
    join(user, 'shop.test.js'),
    `import { expect } from 'vitest';
     import { test } from '${manifest.name}/vitest';
     test('a back office of its own', async ({ office }) => {
       const { id } = office.given.anOrder({ at: 'payment' });
       await fetch('http://shop.test/api/checkouts/' + id, { method: 'PUT' });
       expect(office).toHaveReceived('PUT /api/checkouts/:order_id', { times: 1, step: 'confirm' });
     });`,
  );
  run('vitest', ['run', '--root', user], user);
}

async function checkPrograms(folder: string): Promise<void> {
  for (const path of Object.values(manifest.bin)) {
    const said = run('node', [join(folder, path), '--version']).trim();
    if (!said.includes(manifest.version)) {
      throw new Error(`${path} --version says "${said}", not ${manifest.version}`);
    }
    await checkStart(join(folder, path), environment);
  }
}

/** Gives what the command printed. A command that fails, or warns, shows all of it. */
function run(command: string, args: string[], cwd = root): string {
  const options = { cwd, encoding: 'utf8', env: environment } as const;
  try {
    return execFileSync(command, args, { ...options, stdio: 'pipe' });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed\n${stdout}${stderr}`, { cause: error });
  }
}
