/**
 * Builds the declarations of the library into a folder (default: `dist`): one file for each entry point, and chunks with
 * what they share. The contract shares nothing, so that it names as few types as possible.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rollup, type Plugin } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { root } from './bundle-parts.ts';
import { flattenContract } from './contract-types.ts';
import { describeTypes } from './described-types.ts';

const folder = process.argv[2] ?? join(root, 'dist');
// Below node_modules, whose packages the declarations name.
const emitted = mkdtempSync(join(root, 'node_modules/.types-'));

try {
  const config = ['-p', join(root, '.tsconfig.build.json')];
  execFileSync(join(root, 'node_modules/.bin/tsc'), [...config, '--outDir', emitted], {
    stdio: 'inherit',
  });
  await describeTypes(emitted);
  flattenContract(emitted);
  await bundle(['contract']);
  await bundle(['client']);
  // They share nothing either: others name MSW and vitest, which their users need not have.
  await bundle(['mounts/playwright']);
  await bundle(['mounts/session']);
  await bundle(['mounts/playwright-coverage']);
  await bundle([
    'index',
    'define',
    'mounts/browser',
    'mounts/devtools',
    'mounts/express',
    'mounts/fetch-handler',
    'mounts/jest',
    'mounts/node',
    'mounts/storybook',
    'mounts/testing',
    'mounts/vitest',
    'mounts/vitest-coverage',
  ]);
} finally {
  rmSync(emitted, { recursive: true });
}

async function bundle(entries: readonly string[]): Promise<void> {
  const input = entries.map((entry) => [
    entry.replace(/^.*\//, ''),
    join(emitted, `${entry}.d.ts`),
  ]);
  const build = await rollup({
    input: Object.fromEntries(input) as Record<string, string>,
    external: (id) => !id.startsWith('.') && !id.startsWith('/'),
    plugins: [
      declarationFiles(entries),
      dts({ tsconfig: join(root, 'tsconfig.json') }),
      withoutSideEffects(),
      besideContract(),
    ],
    // It says of each entry point which types are in the chunks.
    onwarn: () => {},
  });
  await build.write({
    dir: folder,
    format: 'es',
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'chunks/[name]-[hash].d.ts',
  });
}

/** Declarations have no effects, but an import without names would require optional packages. */
function withoutSideEffects(): Plugin {
  return {
    name: 'without side effects',
    renderChunk: (code) => code.replaceAll(/^import '.*';\n/gm, ''),
  };
}

/** The contract stands in the folder above the chunks. */
function besideContract(): Plugin {
  return {
    name: 'beside the contract',
    renderChunk: (code, { fileName }) =>
      fileName.startsWith('chunks/')
        ? code.replaceAll(" from './contract.js';", " from '../contract.js';")
        : null,
  };
}

/** Finds declarations by the paths of their sources. The contract is external to the other entry points. */
function declarationFiles(entries: readonly string[]): Plugin {
  return {
    name: 'declaration files',
    resolveId(id, importer) {
      if (importer === undefined || !id.startsWith('.')) return null;
      const path = join(dirname(importer), id.replace(/\.ts$/, '.d.ts'));
      const isContract = path === join(emitted, 'contract.d.ts');
      if (isContract && !entries.includes('contract')) {
        return { id: './contract.js', external: 'absolute' };
      }
      return existsSync(path) ? path : null;
    },
  };
}
