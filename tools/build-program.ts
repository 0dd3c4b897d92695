/**
 * Builds the program into a folder (default: `dist/cli`). `main.js` checks the version of Node.js. `program.js` contains
 * the program with its dependencies, the prebuilt default scenario and the dashboard.
 */
import { join } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { prebuildStart, type PrebuiltStart } from '../src/scenario/prebuilt.ts';
import { builtInScenario } from '../src/scenario/built-in.ts';
import { startOf } from '../src/scenario/start.ts';
import { assetsModule } from './build-dashboard.ts';

const root = join(import.meta.dirname, '..');
const folder = process.argv[2] ?? join(root, 'dist/cli');

const common: BuildOptions = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.12',
  logLevel: 'warning',
};

await build({
  ...common,
  entryPoints: [join(root, 'src/cli/main.ts')],
  outfile: join(folder, 'main.js'),
  plugins: [external(/\/program\.ts$/, './program.js')],
});

await build({
  ...common,
  entryPoints: [join(root, 'src/cli/run.ts')],
  outfile: join(folder, 'program.js'),
  inject: [join(root, 'src/cli/message-event.ts')],
  // Only handlers of MSW require it, and the program accepts none.
  external: ['msw'],
  // CommonJS packages load built-in modules of Node.js with require.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
  define: { PREBUILT_STARTS: JSON.stringify(prebuiltStarts('default')) },
  plugins: [replace('src/dashboard/assets.ts', assetsModule())],
});

/** Leaves a module out of the bundle, to be imported at run time by this path. */
function external(filter: RegExp, path: string): Plugin {
  return {
    name: 'external',
    setup: ({ onResolve }) => onResolve({ filter }, () => ({ path, external: true })),
  };
}

/** Sets scenarios up, so that the program need not: see `src/scenario/prebuilt.ts`. */
function prebuiltStarts(...names: string[]): Record<string, PrebuiltStart> {
  return Object.fromEntries(
    names.map((name) => [name, prebuildStart(startOf(builtInScenario(name)))]),
  );
}

/** Bundles this source in place of a module. The build fails if the program does not import that module. */
function replace(path: string, contents: string): Plugin {
  const file = join(root, path);
  let isReplaced = false;
  return {
    name: `replace ${path}`,
    setup({ onLoad, onEnd }) {
      onLoad({ filter: /\.ts$/ }, ({ path: loaded }) => {
        if (loaded !== file) return undefined;
        isReplaced = true;
        return { contents, loader: 'js' };
      });
      onEnd(() => (isReplaced ? {} : { errors: [{ text: `${path} is not part of the program` }] }));
    },
  };
}
