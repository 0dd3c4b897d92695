import type { http, passthrough } from 'msw';
import type { setupServer } from 'msw/node';
import { addMissingGlobals } from './missing-globals.ts';
import { withPage } from '../../engine/lib/error-page.ts';
import { errorCode, thrownMessage } from '../../engine/lib/thrown.ts';

/**
 * Loads MSW at the first call, because that takes longer than to load Backlot. `require` of an ES module returns the instance
 * that `import` returns. It is created when it is needed, because Workers have neither modules of Node.js nor `import.meta.url`.
 */
let require: NodeJS.Require | undefined;

/** The parts of MSW that intercept requests in Node.js. */
export interface MswServer {
  readonly http: typeof http;
  readonly passthrough: typeof passthrough;
  readonly setupServer: typeof setupServer;
}

/** Has MSW loaded by another function. That of an imported `node:module` loads it in the context of a test, whose globals it replaces. */
export function requireMswWith(other: NodeJS.Require): void {
  require = other;
}

export function loadHttp(): MswServer['http'] {
  return requireMsw('msw').http;
}

export function loadMswServer(): MswServer {
  const { http, passthrough } = requireMsw('msw');
  return { http, passthrough, setupServer: requireMsw('msw/node').setupServer };
}

export function mswVersion(): string {
  return requireMsw('msw/package.json').version;
}

/** The modules of MSW that are read, by their ids. */
interface Modules {
  readonly msw: Pick<MswServer, 'http' | 'passthrough'>;
  readonly 'msw/node': Pick<MswServer, 'setupServer'>;
  readonly 'msw/package.json': { readonly version: string };
}

/** Modules of MSW that were imported because they cannot be required. */
const imported = new Map<string, unknown>();

/** The error of their import. Thrown when MSW is used. */
const failures: unknown[] = [];

/** Imports MSW. @param manifest that of the MSW that is imported, if another one would be required */
export async function preloadMsw(manifest?: Modules['msw/package.json']): Promise<void> {
  addMissingGlobals();
  if (manifest !== undefined) imported.set('msw/package.json', manifest);
  try {
    imported.set('msw', await import('msw'));
    imported.set('msw/node', await import('msw/node'));
  } catch (error) {
    failures.push(error);
  }
}

function requireMsw<Id extends keyof Modules>(id: Id): Modules[Id] {
  try {
    if (failures.length > 0) throw failures[0];
    addMissingGlobals();
    const found: unknown = imported.get(id) ?? (require ??= createRequire())(id);
    if (found === undefined) throw new TypeError(`require('${id}') returns nothing`);
    // TypeScript knows types of modules that are imported, not of those that are required.
    return found as Modules[Id];
  } catch (cause) {
    throw mswFailure(cause);
  }
}

function createRequire(): NodeJS.Require {
  return process.getBuiltinModule('node:module').createRequire(import.meta.url);
}

/** Names the package to install if MSW is missing, and what loads it in vitest. Returns any other error of MSW as it is. */
function mswFailure(cause: unknown): unknown {
  const isMissing = /^(ERR_)?MODULE_NOT_FOUND$/.test(errorCode(cause));
  if (isMissing && /(?:module|package) 'msw['/]/.test(thrownMessage(cause)))
    return new Error(withPage('msw-not-installed', notInstalled), { cause });
  if (process.env['VITEST_VM_POOL'] === undefined) return cause;
  return new Error(`${notLoaded} The cause: ${thrownMessage(cause)}`, { cause });
}

const notInstalled =
  'Handlers and the interception of requests require MSW, which is not installed: run npm install --save-dev msw.';

const notLoaded =
  "Failed to load MSW in a pool of vitest that uses node:vm: import 'backlot/vitest' in the test, or choose the pool forks or threads.";
