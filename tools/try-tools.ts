/**
 * Tries the OpenAPI document with tools of other projects: `npm run test:tools`, or `npm run test:tools -- spectral` for
 * some of them.
 *
 * A tool is a folder of `test/tools` with a `package.json` that names exact versions and has a `test` script. The script
 * finds the document in `openapi.json`, and that of a definition with every kind of field, resources, a step, a fault, a path
 * and UUIDs in `extended.json`, and a slice of the first in `slice.json`; a new server of each at `BACKLOT_URL` and `EXTENDED_URL`; the requests of README.md in
 * `conversation.json`; and at `BACKLOT_ANSWERS` what the last run of `CONTRACT_COVERAGE=true npm test` recorded, if there was
 * one. Printed lines that begin with `note: ` are shown.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { recordedAnswersFile } from '../test/support/answer-reporter.ts';
import { firstRequests } from './readme-blocks.ts';
import { environment, root, run } from './run.ts';
import { install, tryFolders } from './try-folders.ts';

await tryFolders({
  places: ['test/tools'],
  async prepare(tarball, work) {
    const home = join(work, 'server');
    mkdirSync(home);
    writeFileSync(join(home, 'package.json'), '{ "private": true }');
    await install(home, tarball);
    const program = join(home, 'node_modules/backlot/dist/cli/main.js');
    for (const file of ['every-field-api.ts', 'every-part-api.ts']) {
      const source = readFileSync(join(root, 'test/support', file), 'utf8');
      writeFileSync(join(home, file), source.replace('../../src/define.ts', 'backlot/define'));
    }
    const config = join(home, 'backlot.config.ts');
    writeFileSync(config, "export { everyPart as default } from './every-part-api.ts';");
    const extended = await run('node', [program, 'openapi', '--config', config], work);
    return async (folder) => {
      await install(folder);
      const server = await startServer(program);
      const other = await startServer(program, '--config', config);
      try {
        const document = await fetch(`${server.url}/_backlot/openapi.json`);
        writeFileSync(join(folder, 'openapi.json'), await document.text());
        writeFileSync(join(folder, 'extended.json'), extended);
        const only = encodeURIComponent('checkout,POST /api/orders/,users');
        const slice = await fetch(`${server.url}/_backlot/openapi.json?only=${only}`);
        writeFileSync(join(folder, 'slice.json'), await slice.text());
        writeFileSync(join(folder, 'conversation.json'), JSON.stringify(firstRequests));
        const variables = {
          ...environment,
          BACKLOT_URL: server.url,
          EXTENDED_URL: other.url,
          BACKLOT_ANSWERS: recordedAnswersFile,
        };
        return await run('npm', ['test', '--silent'], folder, variables);
      } finally {
        server.stop();
        other.stop();
      }
    };
  },
});

/** Starts the program on a free port. */
async function startServer(
  program: string,
  ...options: readonly string[]
): Promise<{ readonly url: string; readonly stop: () => void }> {
  const child = spawn('node', [program, '--port', '0', '--quiet', ...options], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += stripVTControlCharacters(text);
      const [found] = /http:\/\/[\d.:]+/.exec(printed) ?? [];
      if (found !== undefined && printed.includes('/_backlot/')) resolve(found);
    });
    child.once('exit', () => reject(new Error(`The server ended: ${printed}`)));
  });
  return { url, stop: () => child.kill() };
}
