import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { build as viteBuild } from 'vite';
import { root } from './run.ts';

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

/** Maximum size in bytes, minified, of the client in `docs/client-types.md`: what it adds to a page for production. */
const maxClientBytes = 2000;

/**
 * Bundles the client of the docs, and imports of the contract that need no schema, with esbuild and with Vite.
 *
 * @throws Error that says which one is too large
 */
export async function checkClientSize(user: string): Promise<void> {
  const client = readFileSync(join(root, 'test/readme/client.ts'), 'utf8');
  const used = `${client}\nglobalThis.call = call;`;
  for (const source of [used, used.replace('backlot/client', 'backlot/contract'), typesOnly]) {
    writeFileSync(join(user, 'client.ts'), source);
    for (const [bundler, bytes] of [
      ['esbuild', await sizeByEsbuild(user)],
      ['Vite', await sizeByVite(user)],
    ] as const) {
      if (bytes > maxClientBytes) {
        throw new Error(`${bundler} makes ${bytes} bytes, not ${maxClientBytes}, of ${source}`);
      }
    }
  }
}

const typesOnly = `
  import { type OrderView, type UserView } from 'backlot/contract';
  globalThis.call = (order: OrderView, user: UserView) => order.id === user.id;
`;

async function sizeByEsbuild(user: string): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [join(user, 'client.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    write: false,
  });
  return outputFiles.reduce((sum, { contents }) => sum + contents.length, 0);
}

async function sizeByVite(user: string): Promise<number> {
  const built = await viteBuild({
    configFile: false,
    root: user,
    logLevel: 'error',
    build: { write: false, rolldownOptions: { input: join(user, 'client.ts') } },
  });
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  return outputs.reduce((sum, one) => sum + ('code' in one ? one.code.length : 0), 0);
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
