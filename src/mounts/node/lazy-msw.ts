import type { MswServer } from './msw-server.ts';
import { withPage } from '../../engine/lib/error-page.ts';

/**
 * Replaces `msw.ts` and `msw-server.ts` in bundles for Node.js, because MSW takes longer to load than Backlot.
 * `require` of an ES module returns the instance that `import` returns.
 * It is created when it is needed, because Workers have neither modules of Node.js nor `import.meta.url`.
 */
let require: NodeJS.Require | undefined;

export function loadHttp(): MswServer['http'] {
  return loadMsw().http;
}

export function loadMswServer(): MswServer {
  const { http, passthrough } = loadMsw();
  const { setupServer } = requireMsw('msw/node') as Pick<MswServer, 'setupServer'>;
  return { http, passthrough, setupServer };
}

export function mswVersion(): string {
  return (requireMsw('msw/package.json') as { readonly version: string }).version;
}

function loadMsw(): Pick<MswServer, 'http' | 'passthrough'> {
  return requireMsw('msw') as ReturnType<typeof loadMsw>;
}

/** Modules of MSW that were imported because they cannot be required. */
const imported = new Map<string, unknown>();

export async function preloadMsw(): Promise<void> {
  try {
    imported.set('msw', await import('msw'));
    imported.set('msw/node', await import('msw/node'));
  } catch {
    // Whatever requires MSW reports it.
  }
}

function requireMsw(id: string): unknown {
  try {
    return imported.get(id) ?? (require ??= createRequire())(id);
  } catch (cause) {
    throw mswFailure(cause);
  }
}

function createRequire(): NodeJS.Require {
  return process.getBuiltinModule('node:module').createRequire(import.meta.url);
}

/** Names the package to install, if MSW is missing. Returns any other error of MSW as it is. */
function mswFailure(cause: unknown): unknown {
  const { code, message } = cause as { readonly code?: unknown; readonly message: string };
  const isMissing = code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND';
  if (!isMissing || !/(?:module|package) 'msw['/]/.test(message)) return cause;
  return new Error(
    withPage(
      'msw-not-installed',
      'Handlers and the interception of requests require MSW, which is not installed: run npm install --save-dev msw.',
    ),
    { cause },
  );
}
