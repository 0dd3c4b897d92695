/**
 * Builds and packs the package outside of the tree, then looks at it as its users get it: its files, its metadata, its
 * types, its entry points and its program.
 */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bundleSizes } from './bundle-size.ts';
import { checkStart } from './check-start.ts';
import { loadedModules } from './package-imports.ts';
import { useInstalled } from './package-install.ts';
import { loadedSizes } from './page-load.ts';
import { installedSizes, printSizes } from './package-sizes.ts';
import { installByEach } from './package-managers.ts';
import { checkOldTypes, checkTypes } from './package-types.ts';
import { buildPackage, manifest, pack } from './packed.ts';
import { environment, root, run } from './run.ts';

const work = mkdtempSync(join(tmpdir(), 'backlot-package-'));

try {
  const tarball = await pack(await buildPackage(join(work, 'source')), work);
  const installed = await install(tarball, join(work, 'user'));
  checkFiles(installed);
  const user = dirname(dirname(installed));
  // Each waits for other things, and none for another.
  const sizes = Promise.all([
    installedSizes(tarball, join(work, 'alone')),
    loadedSizes(user),
    bundleSizes(user),
    checkTypes(user, run),
    loadedModules(user, run),
  ]);
  const checks = await Promise.allSettled([
    sizes,
    useInstalled(tarball, join(work, 'empty'), run),
    installByEach(tarball, work, run).then((folder) => checkOldTypes(folder, run)),
    run('attw', [tarball, '--profile', 'esm-only', '--no-definitely-typed', '--no-emoji']),
    run('publint', ['run', tarball, '--strict']),
    checkPrograms(installed),
  ]);
  for (const check of checks) if (check.status === 'rejected') throw check.reason;
  printSizes((await sizes).flat());
  console.log(`package: ${manifest.name} ${manifest.version} is fit to be installed`);
} catch (error) {
  console.error(`package: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** As npm would, but with links for its dependencies and peers: a package that it forgot to name cannot be found. */
async function install(tarball: string, user: string): Promise<string> {
  const modules = join(user, 'node_modules');
  const folder = join(modules, manifest.name);
  mkdirSync(folder, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
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
    /^(package\.json|README\.md|LICENSE|dist\/THIRD-PARTY-LICENSES|dist\/sbom\.cdx\.json|dist\/.+\.(js|d\.ts)|dist\/chunks\/.+-start\.txt|dist\/pages\/.+\.(json|js\.gz)|dist\/skills\/.+\.md|(fixtures|scenarios)\/.+\.json)$/;
  const strangers = files.filter((file) => !wanted.test(file));
  if (strangers.length > 0) throw new Error(`should not be packed: ${strangers.join(', ')}`);
  if ('scripts' in JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
    throw new Error('its package.json has scripts, whose tools are not packed');
  const missing = [
    'README.md',
    'LICENSE',
    'dist/THIRD-PARTY-LICENSES',
    'dist/sbom.cdx.json',
  ].filter((file) => !files.includes(file));
  if (missing.length > 0) throw new Error(`is missing: ${missing.join(', ')}`);
  const long = files
    .filter((file) => /\.(js|ts)$/.test(file))
    .filter((file) => readFileSync(join(folder, file), 'utf8').split('\n').some(isLong));
  if (long.length > 0) throw new Error(`has lines that no tool shows: ${long.join(', ')}`);
}

/** The bundler writes the exports of a chunk in one line, which takes about 5,000 characters. */
function isLong({ length }: string): boolean {
  return length > 8000;
}

async function checkPrograms(folder: string): Promise<void> {
  for (const path of Object.values(manifest.bin)) {
    const said = (await run('node', [join(folder, path), '--version'])).trim();
    if (!said.includes(manifest.version)) {
      throw new Error(`${path} --version says "${said}", not ${manifest.version}`);
    }
    await checkStart(join(folder, path), environment);
  }
}
