/**
 * Builds the declarations of the library into a folder (default: `dist`): one file for each entry point, and chunks with
 * what they share. The contract shares nothing, so that it names as few types as possible.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rollup, type Plugin } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { root } from './bundle-parts.ts';
import { flattenContract } from './contract-types.ts';
import { describeTypes } from './described-types.ts';

const folder = process.argv[2] ?? join(root, 'dist');
/** The declarations of packages that users need not install, because bundles contain them: see `bundled.ts`. */
const declarationsOf: Readonly<Record<string, string>> = {
  '@msw/data': '@msw/data/build/index.d.mts',
  '@msw/data/extensions': '@msw/data/build/extensions/index.d.mts',
  '@standard-schema/spec': '@standard-schema/spec/dist/index.d.ts',
  mutative: 'mutative/dist/index.d.ts',
  rettime: 'rettime/build/index.d.mts',
};

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
  // They name little, and would split the chunks of the others.
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
    'mounts/playwright',
    'mounts/storybook',
    'mounts/testing',
    'mounts/vitest',
    'mounts/vitest-coverage',
  ]);
  copyFileSync(join(root, 'tools/zod-types.d.ts'), join(folder, 'chunks/zod.d.ts'));
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
    external: (id) => !/^[./]/.test(id) && !Object.hasOwn(declarationsOf, id),
    plugins: [
      declarationFiles(entries),
      packageDeclarations(),
      dts({ tsconfig: join(root, 'tsconfig.json') }),
      withoutSideEffects(),
      besideContract(),
      ownZod(),
      optionalTypes(),
      olderCompilers(),
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
    renderChunk: (code) => code.replaceAll(/^import '.*';\n?/gm, ''),
  };
}

function packageDeclarations(): Plugin {
  return {
    name: 'declarations of packages',
    resolveId(id, importer) {
      if (Object.hasOwn(declarationsOf, id)) return join(root, 'node_modules', declarationsOf[id]!);
      if (importer?.startsWith(join(root, 'node_modules/')) !== true || !id.startsWith('.'))
        return null;
      const path = join(dirname(importer), id);
      return [path.replace(/\.mjs$/, '.d.mts'), `${path}.d.ts`].find((one) => existsSync(one));
    },
  };
}

/** Has declarations import the types of zod that `zod-types.d.ts` has, which stand among the chunks. */
function ownZod(): Plugin {
  return {
    name: 'own zod',
    renderChunk(code, { fileName }) {
      const path = fileName.startsWith('chunks/') ? './zod.js' : './chunks/zod.js';
      return code
        .replaceAll(/(?<=^import \* as \w+ from )'zod'(?=;$)/gm, `'${path}'`)
        .replaceAll(
          /^import \* as (\w+) from 'zod\/v4\/core';$/gm,
          `import { core as $1 } from '${path}';`,
        );
    },
  };
}

/**
 * Users who intercept no requests need not have MSW, although `handlers` of a back office has its type; nor those of
 * `backlot/fetch` the types of Node.js, although chunks name them; nor has every project `Symbol.dispose`.
 */
function optionalTypes(): Plugin {
  const optional = /^ *(?=import .* from '(?:msw|node:\w+)';$|\[Symbol\.dispose\])/gm;
  return {
    name: 'optional types',
    renderChunk: (code) => code.replaceAll(optional, '// @ts-ignore -- optional\n$&'),
  };
}

/** Before TypeScript 5.7, arrays of bytes have no type parameter. */
function olderCompilers(): Plugin {
  return {
    name: 'older compilers',
    renderChunk: (code) => code.replaceAll(/\b(\w+Array)<ArrayBuffer(?:Like)?>/g, '$1'),
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
