import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { expect, test } from 'vitest';

/** What a page gets with `backlot/browser`, without MSW, which it has already, and without the records of scenarios. */
async function bundle(options: { packages: 'bundle' | 'external' }) {
  const result = await build({
    entryPoints: [join(import.meta.dirname, '../../src/adapters/browser.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2024',
    external: ['msw', 'msw/*', '*.json'],
    write: false,
    metafile: true,
    logLevel: 'silent',
    ...options,
  });
  const [file] = result.outputFiles;
  return { bytes: gzipSync(file?.contents ?? '', { level: 9 }).length, metafile: result.metafile };
}

const inputs = ({ inputs: files }: Metafile): string[] => Object.keys(files);

test('the browser bundle holds no server, no generator and nothing of Node', async () => {
  const { metafile } = await bundle({ packages: 'bundle' });
  const strangers = inputs(metafile).filter((path) =>
    /node_modules\/(express|cors|@faker-js)\/|src\/(cli|dashboard)\/|adapters\/(node|express|vitest)/.test(
      path,
    ),
  );
  expect(strangers).toEqual([]);
  const imported = Object.values(metafile.outputs).flatMap((output) => output.imports);
  expect(imported.map(({ path }) => path).filter((path) => path.startsWith('node:'))).toEqual([]);
});

test('what this project adds to a page is at most 70 kB, compressed', async () => {
  const { bytes } = await bundle({ packages: 'external' });
  expect(bytes).toBeLessThanOrEqual(70_000);
});

test('with the libraries that it needs it is at most 142 kB, compressed', async () => {
  const { bytes } = await bundle({ packages: 'bundle' });
  expect(bytes).toBeLessThanOrEqual(142_000);
});
