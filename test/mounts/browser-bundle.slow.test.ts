import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

test('a page loads no server, no control API, no fixture generator and no module of Node.js at once', async () => {
  const { metafile } = await build({
    entryPoints: [join(import.meta.dirname, '../../src/mounts/browser.ts')],
    bundle: true,
    splitting: true,
    outdir: 'bundle',
    format: 'esm',
    platform: 'browser',
    external: ['msw', 'msw/*', '*.json'],
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const never =
    /node_modules\/(express|cors|host-validation-middleware|@faker-js)\/|src\/cli\/|src\/mounts\/(node|express|vitest)/;
  expect(Object.keys(metafile.inputs).filter((path) => never.test(path))).toEqual([]);
  const { outputs } = metafile;
  const first = new Set(Object.keys(outputs).filter((path) => path.endsWith('/browser.js')));
  for (const path of first) {
    for (const { kind, path: imported, external } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && external !== true) first.add(imported);
    }
  }
  const atOnce = [...first].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}));
  expect(atOnce.length).toBeGreaterThan(50);
  const later = /src\/engine\/(dashboard|control|sessions)\/|idb-keyval/;
  expect(atOnce.filter((path) => later.test(path))).toEqual([]);
  const imported = Object.values(metafile.outputs).flatMap((output) => output.imports);
  expect(imported.map(({ path }) => path).filter((path) => path.startsWith('node:'))).toEqual([]);
});
