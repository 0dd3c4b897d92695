import { http, passthrough } from 'msw';
import { setupServer } from 'msw/node';
import manifest from 'msw/package.json' with { type: 'json' };

/** The parts of MSW that intercept requests in Node.js. */
export interface MswServer {
  readonly http: typeof http;
  readonly passthrough: typeof passthrough;
  readonly setupServer: typeof setupServer;
}

/** Returns MSW for Node.js. Bundles load it at the first call: see `lazy-msw.ts`. */
export function loadMswServer(): MswServer {
  return { http, passthrough, setupServer };
}

/** Returns the version of MSW. */
export function mswVersion(): string {
  return manifest.version;
}

/** Imports MSW where bundles cannot require it. Here it is imported already. */
export async function preloadMsw(): Promise<void> {}

/** Has bundles require MSW by another function. Here it is imported already. */
export function requireMswWith(other: NodeJS.Require): void {
  void other;
}
