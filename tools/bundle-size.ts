import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';

/**
 * Maximum size in bytes, compressed, of what a page loads for `startWorker` before it can respond, without MSW and without
 * the records of scenarios. The libraries (zod, @msw/data and their dependencies) are 30 kB of it.
 */
const maxBytes = 100_000;

/**
 * Bundles the installed package as a page does, and checks its size.
 *
 * @param user the folder of a project that has it installed
 * @throws Error that lists its parts if it is too large
 */
export async function checkBundleSize(user: string): Promise<void> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export { startWorker } from 'backlot/browser';`, resolveDir: user },
    absWorkingDir: user,
    outdir: join(user, 'bundle'),
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2024',
    external: ['msw', 'msw/*', '*.json'],
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const loaded = loadedAtOnce(metafile);
  const bytes = outputFiles
    .filter(({ path }) => loaded.some((output) => path.endsWith(output)))
    .reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
  if (bytes <= maxBytes) return;
  throw new Error(
    `backlot/browser must be at most ${maxBytes} bytes, compressed, not ${bytes}. Its parts, minified:\n${partsOf(metafile, loaded)}`,
  );
}

/** Returns the outputs that the entry imports statically, itself included. */
function loadedAtOnce({ outputs }: Metafile): string[] {
  const entries = Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === '<stdin>');
  const seen = new Set(entries);
  for (const path of seen) {
    for (const { kind, path: imported, external } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && external !== true) seen.add(imported);
    }
  }
  return [...seen];
}

/** Returns one line for each library and each folder of the package, largest first. */
function partsOf({ outputs }: Metafile, loaded: readonly string[]): string {
  const parts = new Map<string, number>();
  for (const path of loaded) {
    for (const [input, { bytesInOutput }] of Object.entries(outputs[path]?.inputs ?? {})) {
      const [, library, folder = 'backlot'] =
        /node_modules\/(?!backlot\/)((?:@[^/]+\/)?[^/]+)|dist\/(\w+)\//.exec(input) ?? [];
      const part = library ?? folder;
      parts.set(part, (parts.get(part) ?? 0) + bytesInOutput);
    }
  }
  return Array.from(parts)
    .toSorted(([, one], [, other]) => other - one)
    .map(([part, bytes]) => `${String(bytes).padStart(8)} ${part}`)
    .join('\n');
}
