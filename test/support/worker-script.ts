import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';
import { assetsModule, panelStyleModule, studioModule } from '../../tools/build-dashboard.ts';

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

/** Replaces the modules of scripts and style sheets as the build does, because only Node.js can read and bundle them. */
export const dashboardAssets: Plugin = {
  name: 'dashboard assets',
  load(id) {
    if (id.endsWith(assets)) return assetsModule();
    if (id.endsWith(studio)) return studioModule();
    return id.endsWith(panelStyle) ? panelStyleModule() : undefined;
  },
  configureVitest({ defineCacheKeyGenerator }) {
    // What they contain comes from other files, so a cache would keep the studio of an earlier run.
    defineCacheKeyGenerator(({ id }) =>
      [assets, studio, panelStyle].some((path) => id.endsWith(path)) ? false : null,
    );
  },
};

const assets = '/src/engine/dashboard/assets.ts';
const studio = '/src/shop/studio-scripts.ts';
const panelStyle = '/src/engine/studio/style.ts';
