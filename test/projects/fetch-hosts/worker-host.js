import { buildSync } from 'esbuild';
import { Miniflare } from 'miniflare';

// No `nodejs_compat`, and no module of Node.js.
const outfile = 'worker.bundle.js';
buildSync({
  entryPoints: ['worker.js'],
  outfile,
  bundle: true,
  format: 'esm',
  conditions: ['workerd', 'worker', 'browser'],
});
const worker = new Miniflare({
  modules: true,
  scriptPath: outfile,
  compatibilityDate: '2026-07-01',
  host: '127.0.0.1',
  port: 0,
});
console.log((await worker.ready).port);
process.once('SIGTERM', () => worker.dispose());
