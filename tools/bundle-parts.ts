import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';
import { contractList } from '../src/coverage/listed-items.ts';
import { builtInScenario } from '../src/scenario/built-in.ts';
import { prebuildStart, type PrebuiltStart } from '../src/scenario/prebuilt.ts';
import { startOf } from '../src/scenario/start.ts';

export const root = join(import.meta.dirname, '..');

/** The oldest Node.js that bundles run on, as in `engines`. */
export const target = 'node22.12';

/** Sets scenarios up, so that a bundle need not: see `src/scenario/prebuilt.ts`. */
export function prebuiltStarts(...names: string[]): Plugin {
  const starts = names.map((name): [string, PrebuiltStart] => [
    name,
    prebuildStart(startOf(builtInScenario(name))),
  ]);
  const source = JSON.stringify(Object.fromEntries(starts));
  return replace('src/scenario/prebuilt-starts.ts', `export const prebuiltStarts = ${source};`);
}

/** The list of what contract coverage counts, with its hints, as text: making it takes longer than a small test suite. */
export function listedItems(): Plugin {
  const text = JSON.stringify(JSON.stringify(contractList()));
  return replace(
    'src/coverage/listed-items.ts',
    `let list;\nexport const contractList = () => (list ??= JSON.parse(${text}));`,
  );
}

/** Bundles JSON as text to parse, which loads in half the time of an object literal. */
export const jsonAsText: Plugin = {
  name: 'JSON as text',
  setup({ onLoad }) {
    onLoad({ filter: /\.json$/ }, ({ path }) => {
      const text = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')));
      return { contents: `export default JSON.parse(${JSON.stringify(text)});`, loader: 'js' };
    });
  },
};

/** Bundles this source in place of a module. The build fails if no bundle imports that module. */
export function replace(path: string, contents: string): Plugin {
  const file = join(root, path);
  let isReplaced = false;
  return {
    name: `replace ${path}`,
    setup({ onLoad, onEnd }) {
      onLoad({ filter: /\.ts$/ }, ({ path: loaded }) => {
        if (loaded !== file) return undefined;
        isReplaced = true;
        return { contents, loader: 'ts', resolveDir: dirname(file) };
      });
      onEnd(() => (isReplaced ? {} : { errors: [{ text: `${path} is not part of the bundle` }] }));
    },
  };
}

/** Leaves a module out of the bundle, to be imported at run time by this path. */
export function external(filter: RegExp, path: string): Plugin {
  return {
    name: 'external',
    setup: ({ onResolve }) => onResolve({ filter }, () => ({ path, external: true })),
  };
}
