import { createRequire } from 'node:module';
import type { MswServer } from './msw-server.ts';

/**
 * Replaces `msw.ts` and `msw-server.ts` in bundles for Node.js, because MSW takes longer to load than Backlot.
 * `require` of an ES module returns the instance that `import` returns.
 */
const require = createRequire(import.meta.url);

export function loadHttp(): MswServer['http'] {
  return loadMsw().http;
}

export function loadMswServer(): MswServer {
  const { http, passthrough } = loadMsw();
  const { setupServer } = require('msw/node') as Pick<MswServer, 'setupServer'>;
  return { http, passthrough, setupServer };
}

export function mswVersion(): string {
  return (require('msw/package.json') as { readonly version: string }).version;
}

function loadMsw(): Pick<MswServer, 'http' | 'passthrough'> {
  return require('msw') as ReturnType<typeof loadMsw>;
}
