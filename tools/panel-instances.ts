import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { panelStyleModule } from './build-dashboard.ts';
import { bundleOptions, replace, root } from './bundle-parts.ts';
import { roomsModule } from './page-modules.ts';

const panel = join(root, 'src/engine/studio/panel.tsx');

/**
 * Evaluates the modules of the studio again for each panel: they hold the state of one studio, because a page has no more,
 * and a page of an app may show several.
 */
export const panelInstances: Plugin = {
  name: 'panel instances',
  setup({ onLoad }) {
    onLoad({ filter: /\/studio\/panel\.tsx$/ }, async ({ path }) => {
      if (path !== panel) return undefined;
      const { outputFiles } = await build({
        ...bundleOptions,
        splitting: false,
        metafile: false,
        entryPoints: [panel],
        format: 'iife',
        globalName: 'studio',
        target: 'es2024',
        outdir: root,
        write: false,
        plugins: [
          replace('src/engine/studio/style.ts', panelStyleModule()),
          replace('src/engine/studio/rooms.ts', roomsModule),
        ],
      });
      const code = outputFiles.map(({ text }) => text).join('');
      return {
        contents: `export function showPanel(root, shop, show) {\n${code}\nreturn studio.showPanel(root, shop, show);\n}`,
        loader: 'js',
      };
    });
  },
};
