/**
 * Builds the program into a folder (`dist/cli` if none is named): a file that looks at the version of Node, and one with
 * everything that the program needs, its dependencies and the default scenario, set up, among it.
 */
import { join } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { prebuildStart, type PrebuiltStart } from '../src/scenario/prebuilt.ts';
import { builtInScenario } from '../src/scenario/built-in.ts';
import { startOf } from '../src/scenario/start.ts';

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
  plugins: [elsewhere(/\/program\.ts$/, './program.js')],
});

await build({
  ...common,
  entryPoints: [join(root, 'src/cli/run.ts')],
  outfile: join(folder, 'program.js'),
  inject: [join(root, 'src/cli/message-event.ts')],
  // Nobody gives the program handlers of MSW.
  external: ['msw'],
  // Packages that are CommonJS ask for Node's own modules this way.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
  define: { PREBUILT_STARTS: JSON.stringify(prebuiltStarts('default')) },
});

/** Leaves a module out of the bundle, to be imported from where it will lie. */
function elsewhere(filter: RegExp, path: string): Plugin {
  return {
    name: 'elsewhere',
    setup: ({ onResolve }) => onResolve({ filter }, () => ({ path, external: true })),
  };
}

/** Sets scenarios up, so that the program need not: see `src/scenario/prebuilt.ts`. */
function prebuiltStarts(...names: string[]): Record<string, PrebuiltStart> {
  return Object.fromEntries(
    names.map((name) => [name, prebuildStart(startOf(builtInScenario(name)))]),
  );
}
