import { buildSync } from 'esbuild';
import { Miniflare } from 'miniflare';

const [, , entry] = process.argv;
const { SHOPS } = process.env;

// No `nodejs_compat`, and no module of Node.js.
const outfile = `${entry}.bundle.js`;
buildSync({
  entryPoints: [entry],
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
  ...(SHOPS && {
    durableObjects: { SHOPS: { className: 'Shops', useSQLite: true } },
    durableObjectsPersist: SHOPS,
  }),
});
console.log((await worker.ready).port);
process.once('SIGTERM', () => worker.dispose());
