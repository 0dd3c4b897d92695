import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

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
