import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';
import { isStudioFile, studioFiles } from '../../tools/studio-files.ts';

/** Serves the worker script as the plugin of `msw/vite` does, for any version of MSW and any path. */
export function workerScript(msw: string, base: string, names: readonly string[]): Plugin {
  const path = createRequire(import.meta.url).resolve(`${msw}/mockServiceWorker.js`);
  const source = readFileSync(path, 'utf8');
  return {
    name: 'worker script',
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const { pathname } = new URL(request.url ?? '/', 'http://localhost');
        if (!names.some((name) => pathname === `${base}${name}`)) return next();
        response.setHeader('content-type', 'text/javascript').end(source);
      });
    },
    generateBundle() {
      for (const fileName of names) this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

/** Has pages load the scripts and style sheets of the studio as texts, because only Node.js can read and bundle them. */
export const dashboardAssets: Plugin = {
  ...studioFiles(),
  configureVitest({ defineCacheKeyGenerator }) {
    // What they contain comes from other files, so a cache would keep the studio of an earlier run.
    defineCacheKeyGenerator(({ id }) => (isStudioFile(id) ? false : null));
  },
};
