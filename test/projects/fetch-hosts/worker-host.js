import { buildSync } from 'esbuild';
import { Miniflare } from 'miniflare';

const outfile = 'worker.bundle.js';
const external = ['node:*'];
buildSync({
  entryPoints: ['worker.js'],
  outfile,
  external,
  bundle: true,
  format: 'esm',
  platform: 'node',
});
const worker = new Miniflare({
  modules: true,
  scriptPath: outfile,
  compatibilityDate: '2026-07-01',
  compatibilityFlags: ['nodejs_compat'],
  host: '127.0.0.1',
  port: 0,
});
console.log((await worker.ready).port);
process.once('SIGTERM', () => worker.dispose());
