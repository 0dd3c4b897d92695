import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

test('the browser bundle contains no server, no fixture generator and no module of Node.js', async () => {
  const { metafile } = await build({
    entryPoints: [join(import.meta.dirname, '../../src/adapters/browser.ts')],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    external: ['msw', 'msw/*', '*.json'],
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const strangers = Object.keys(metafile.inputs).filter((path) =>
    /node_modules\/(express|cors|host-validation-middleware|@faker-js)\/|src\/(cli|dashboard)\/|adapters\/(node|express|vitest)/.test(
      path,
    ),
  );
  expect(strangers).toEqual([]);
  const imported = Object.values(metafile.outputs).flatMap((output) => output.imports);
  expect(imported.map(({ path }) => path).filter((path) => path.startsWith('node:'))).toEqual([]);
});
