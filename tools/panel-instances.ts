import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { callsOfH, define, minify } from '../src/engine/dashboard/bundle.ts';
import { panelStyleModule } from './build-dashboard.ts';
import { bundleOptions, replace, root } from './bundle-parts.ts';

const panel = join(root, 'src/shop/studio/panel.ts');

/**
 * Evaluates the modules of the studio again for each panel: they hold the state of one studio, because a page has no more,
 * and a page of an app may show several.
 */
export const panelInstances: Plugin = {
  name: 'panel instances',
  setup({ onLoad }) {
    onLoad({ filter: /\/studio\/panel\.ts$/ }, async ({ path }) => {
      if (path !== panel) return undefined;
      const { outputFiles } = await build({
        ...bundleOptions,
        ...callsOfH(),
        define,
        splitting: false,
        minifySyntax: true,
        metafile: false,
        entryPoints: [panel],
        format: 'esm',
        target: 'es2024',
        outdir: root,
        write: false,
        plugins: [
          replace('src/engine/studio/style.ts', panelStyleModule()),
          ...['src/engine/studio/rooms.ts', 'src/shop/studio/rooms.ts'].map((one) =>
            replace(one, withoutImports(one)),
          ),
        ],
      });
      const code = outputFiles.map(({ text }) => text).join('');
      const inside = code.replace(
        /\nexport \{\s*showPanel\s*\};\s*$/,
        '\nreturn showPanel(...$given);',
      );
      return {
        contents: minify(`export function showPanel(...$given) {\n${inside}\n}`, false),
        loader: 'js',
      };
    });
  },
};

/**
 * Has the panel contain all rooms of the studio: each that is loaded later would be a file of the package, or more. They import
 * this module in a circle, so its functions must be there before it is evaluated.
 */
function withoutImports(path: string): string {
  return readFileSync(join(root, path), 'utf8').replaceAll(
    /^export const (\w+) = async \(\) => \(await import\((.+)\)\)\.(\w+);$/gm,
    'import { $3 } from $2;\nexport async function $1() { return $3; }',
  );
}
