/**
 * Builds the program into a folder (default: `dist/cli`). `main.js` checks the version of Node.js. `program.js` contains
 * the program with its dependencies, the prebuilt default scenario and the dashboard. Definitions of users import it as
 * `backlot/define`: they have to share its classes and schemas.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { assetsModule, studioInputs } from './build-dashboard.ts';
import { licensesOf } from './licenses.ts';
import { external, lazyRecords, prebuiltStart, replace, root, target } from './bundle-parts.ts';

const folder = process.argv[2] ?? join(root, 'dist/cli');

const common: BuildOptions = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target,
  logLevel: 'warning',
};

await build({
  ...common,
  entryPoints: [join(root, 'src/cli/main.ts')],
  outfile: join(folder, 'main.js'),
  plugins: [external(/\/program\.ts$/, './program.js')],
});

const { metafile } = await build({
  ...common,
  metafile: true,
  absWorkingDir: root,
  stdin: {
    contents: "export { run } from './src/cli/run.ts'; export * from './src/define.ts';",
    resolveDir: root,
  },
  outfile: join(folder, 'program.js'),
  inject: [join(root, 'src/cli/message-event.ts')],
  // Only handlers of MSW require that one, and the program accepts none. Users of Redis install its client.
  external: ['msw', 'redis'],
  // CommonJS packages load built-in modules of Node.js with require.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
  plugins: [
    lazyRecords,
    prebuiltStart('default', folder),
    replace('src/engine/dashboard/assets.ts', assetsModule()),
    replace(
      'src/cli/own-modules.ts',
      "export const ownModules = { 'backlot/define': import.meta.url };",
    ),
  ],
});

writeFileSync(
  join(folder, 'THIRD-PARTY-LICENSES'),
  licensesOf([...Object.keys(metafile.inputs), ...studioInputs]),
);
