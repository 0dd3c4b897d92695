/**
 * Installs the packed package into projects that use other tools and into the examples, and runs the tests of each:
 * `npm run test:projects`, or `npm run test:projects -- jest next` for some of them.
 *
 * A project is a folder of `test/projects` with a `package.json` that names exact versions of its tools and has a
 * `test` script. Only examples name Backlot: the tarball is installed beside the dependencies. If its files name `blocks/`, it gets
 * the code of README.md and the pages of the site in this folder. The environment has the path of a Chromium in `CHROMIUM_PATH`, if there is one.
 * Printed lines that begin with `measured: ` are shown.
 */
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumLaunch } from '../test/support/chromium.ts';
import { writeCodeBlocks } from './code-blocks.ts';
import { environment, run } from './run.ts';
import { install, tryFolders } from './try-folders.ts';

// It is a page of the site, which is made from the code.
await run('node', ['tools/write-reference.ts']);

await tryFolders({
  places: ['test/projects', 'examples'],
  async prepare(tarball) {
    const { executablePath, env } = await chromiumLaunch();
    const chromium = executablePath === undefined ? {} : { CHROMIUM_PATH: executablePath };
    const variables = { ...environment, ...env, PATH: environment.PATH, ...chromium };
    return async (folder) => {
      if (namesBlocks(folder)) {
        const blocks = join(folder, 'blocks');
        mkdirSync(blocks, { recursive: true });
        writeCodeBlocks(blocks);
      }
      await install(folder, tarball);
      return run('npm', ['test', '--silent'], folder, variables);
    };
  },
});

function namesBlocks(folder: string): boolean {
  const files = globSync('**/*.{js,jsx,ts}', { cwd: folder });
  return files.some((file) => readFileSync(join(folder, file), 'utf8').includes('blocks/'));
}
