import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';
import { builtPackage } from './built-package.ts';
import { root } from './tree.ts';

/** The styles of the app, which must not reach the panel. */
const hostileStyle = `
  html { font-size: 70px }
  * { all: unset !important; display: block !important; color: rgb(255, 0, 0) !important; font-size: 60px !important;
    letter-spacing: 9px !important; direction: rtl !important; --ink: red !important; --card: red !important }
  button, a, div { display: none !important }`;

const page = `<!doctype html><html lang="en"><title>A shop</title><style>${hostileStyle}</style>
  <body><h1>A shop</h1><script type="module" src="/app.js"></script></body></html>`;

const script = `
  import { showDevtools } from 'backlot/devtools';
  const { server, options } = Object.fromEntries(new URLSearchParams(location.search));
  if (server === undefined) {
    const { startWorker } = await import('backlot/browser');
    window.office = await startWorker({ history: true, ...JSON.parse(options) });
  }
  const open = () => (window.hide = showDevtools(server ?? window.office, { open: true }));
  window.reopen = () => [window.hide(), open()];
  open();`;

/** Serves an app that has the package installed, for all test files of a project. */
export async function setup(project: TestProject): Promise<() => void> {
  const installed = await builtPackage();
  const folder = mkdtempSync(join(tmpdir(), 'backlot-panel-'));
  await buildApp(folder, installed.folder);
  const worker = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js');
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (!pathname.endsWith('.js')) {
      response.setHeader('content-type', 'text/html').end(page);
      return;
    }
    const path = pathname === '/mockServiceWorker.js' ? worker : join(folder, 'out', pathname);
    response.setHeader('content-type', 'text/javascript').end(readFileSync(path));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  project.provide('panelHost', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return () => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
    installed.remove();
  };
}

/** Bundles the app, which has the package among its own. */
async function buildApp(folder: string, installed: string): Promise<void> {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(installed, join(folder, 'node_modules/backlot'));
  await build({
    stdin: { contents: script, resolveDir: folder, sourcefile: 'app.js' },
    nodePaths: [join(root, 'node_modules')],
    outdir: join(folder, 'out'),
    entryNames: 'app',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'esnext',
    conditions: ['development'],
    supported: { 'import-attributes': true },
    logLevel: 'warning',
  });
}
