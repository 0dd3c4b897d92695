import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { msw as mswPlugin } from 'msw/vite';
import { build, createServer, preview, type InlineConfig, type Plugin } from 'vite';
import { workerScript } from '../support/worker-script.ts';

export interface ViteApp {
  /** The URL of the app, with its base path. */
  readonly url: string;
  close(): Promise<void>;
}

export interface ViteAppOptions {
  /** The folder of its `index.html`, from `test/`. */
  readonly root: string;
  /** The base path (default: `/`). */
  readonly base?: string;
  /** The package of MSW (default: the newest). */
  readonly msw?: 'msw' | 'msw2';
  /** Whether to serve a production build. */
  readonly built: boolean;
  /** The module that is `backlot/browser` (default: its source). */
  readonly module?: string;
}

const sourceModule = join(import.meta.dirname, '../../src/mounts/browser.ts');

/** Serves a Vite app, with the worker script of MSW at its base and, to test the error, in `deep/`. */
export async function openViteApp(options: ViteAppOptions): Promise<ViteApp> {
  const { root, base = '/', msw = 'msw', built, module = sourceModule } = options;
  const folder = await mkdtemp(join(tmpdir(), 'backlot-app-'));
  const config: InlineConfig = {
    configFile: false,
    root: join(import.meta.dirname, '..', root),
    base,
    cacheDir: join(folder, 'cache'),
    logLevel: 'error',
    plugins: workerScripts(msw, base),
    resolve: {
      alias: [
        { find: /^msw(?=\/|$)/, replacement: msw },
        { find: 'backlot/browser', replacement: module },
      ],
    },
    build: { outDir: join(folder, 'dist'), target: 'esnext' },
    server: { host: '127.0.0.1', port: 0, watch: null, allowedHosts: ['shop.test'] },
    preview: { host: '127.0.0.1', port: 0, allowedHosts: ['shop.test'] },
  };
  if (built) await build(config);
  const server = built ? await preview(config) : await (await createServer(config)).listen();
  return {
    url: server.resolvedUrls?.local[0] ?? '',
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Serves the worker script at the base, and a copy in a folder that is too deep. */
function workerScripts(msw: string, base: string): Plugin[] {
  const deep = 'deep/mockServiceWorker.js';
  if (msw === 'msw') return [mswPlugin({ mode: 'worker-only' }), workerScript(msw, base, [deep])];
  return [workerScript(msw, base, ['mockServiceWorker.js', deep])];
}
