import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import type { Size } from './package-sizes.ts';

/** What else a page imports, and how many bytes, compressed, it may cost it: all of it, or what it loads before anything else. */
const imports = [
  {
    what: 'panel of backlot/devtools',
    source: "export { showDevtools } from 'backlot/devtools';",
    // Its parts, of which it loads each when that is first opened.
    limit: 86_000,
    isAll: true,
  },
  {
    what: 'pathOf of backlot/contract',
    source: "export { pathOf } from 'backlot/contract';",
    limit: 1000,
    isAll: false,
  },
];

/**
 * Bundles entry points of the installed package as pages do: those that are no page by themselves.
 *
 * @param user the folder of a project that has it installed
 */
export async function bundleSizes(user: string): Promise<Size[]> {
  return Promise.all(
    imports.map(async ({ what, source, limit, isAll }) => {
      const { outputFiles, metafile } = await bundle(user, source);
      const loaded = isAll ? Object.keys(metafile.outputs) : loadedAtOnce(metafile);
      const value = outputFiles
        .filter(({ path }) => loaded.some((output) => path.endsWith(output)))
        .reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
      const parts = `Its parts, minified:\n${partsOf(metafile, loaded)}`;
      return { what: `${what}, compressed`, value, limit, unit: 'kB', parts };
    }),
  );
}

function bundle(user: string, contents: string) {
  return build({
    stdin: { contents, resolveDir: user },
    absWorkingDir: user,
    outdir: join(user, 'bundle'),
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2024',
    conditions: ['development'],
    external: ['msw', 'msw/*', '*.json', '*/fixtures.js'],
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
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

function partsOf({ outputs }: Metafile, loaded: readonly string[]): string {
  return listParts(
    loaded.flatMap((path) =>
      Object.entries(outputs[path]?.inputs ?? {}).map(([input, part]) => [
        input,
        part.bytesInOutput,
      ]),
    ),
  );
}

/** Returns one line for each library and each file of the package, largest first. */
export function listParts(modules: readonly (readonly [path: string, bytes: number])[]): string {
  const parts = new Map<string, number>();
  for (const [path, bytes] of modules) {
    const [, library, file = 'the page'] =
      /node_modules\/(?!backlot\/)((?:@[^/]+\/)?[^/]+)|backlot\/dist\/(.+)/.exec(path) ?? [];
    const part = library ?? file;
    parts.set(part, (parts.get(part) ?? 0) + bytes);
  }
  return Array.from(parts)
    .toSorted(([, one], [, other]) => other - one)
    .map(([part, bytes]) => `${String(bytes).padStart(8)} ${part}`)
    .join('\n');
}
