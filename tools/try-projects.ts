/**
 * Installs the packed package into projects that use other tools, and runs the tests of each:
 * `npm run test:projects`, or `npm run test:projects -- jest next` for some of them.
 *
 * A project is a folder of `test/projects` with a `package.json` that names exact versions of its tools and has a
 * `test` script. It does not name Backlot: the tarball is installed beside its dependencies. The environment has the path
 * of a Chromium in `CHROMIUM_PATH`, if there is one. Lines that a project prints with `measured:` in front are shown.
 */
import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { chromiumLaunch } from '../test/support/chromium.ts';
import { buildPackage, pack } from './packed.ts';
import { environment, root, run } from './run.ts';

const projects = join(root, 'test/projects');
const names = globSync('*/package.json', { cwd: projects }).map(dirname).toSorted();
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no project named ${unknown.join(', ')}. There are: ${names.join(', ')}`);
  process.exit(2);
}

const { executablePath, env } = await chromiumLaunch();
Object.assign(environment, { ...env, PATH: environment.PATH });
if (executablePath !== undefined) Object.assign(environment, { CHROMIUM_PATH: executablePath });

const work = mkdtempSync(join(tmpdir(), 'backlot-projects-'));
try {
  const tarball = await pack(await buildPackage(join(work, basename(root))), work);
  for (const name of wanted.length > 0 ? wanted : names) await tryProject(name, tarball);
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function tryProject(name: string, tarball: string): Promise<void> {
  const started = performance.now();
  const folder = join(work, 'projects', name);
  cpSync(join(projects, name), folder, { recursive: true });
  try {
    const options = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', ['install', ...options, tarball], folder);
    const printed = await run('npm', ['test'], folder);
    console.log(`ok      ${name} (${Math.round((performance.now() - started) / 1000)} s)`);
    for (const line of printed.split('\n').filter((one) => one.startsWith('measured:'))) {
      console.log(`        ${line}`);
    }
  } catch (error) {
    process.exitCode = 1;
    console.error(`FAILED  ${name}\n${error instanceof Error ? error.message : String(error)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
