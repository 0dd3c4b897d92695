import './node/require-node.ts';
// Node.js 20 cannot link a named import of this CommonJS module, and then would not say which Node.js is required.
import * as globals from '@jest/globals';
import { preload } from './node/preload.ts';
import { matchReceived, type OfficeMatchers } from './node/received.ts';

export type { ExpectedRequest, RequestName } from './node/received.ts';

declare module '@jest/expect' {
  // For `expect` of `@jest/globals`.
  // oxlint-disable-next-line typescript/no-empty-object-type -- a declaration can only be merged with an interface
  interface Matchers<R extends void | Promise<void>> extends OfficeMatchers<R> {}
}

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- `@types/jest` declares a namespace
  namespace jest {
    // For the global `expect` of `@types/jest`.
    // oxlint-disable-next-line typescript/no-empty-object-type -- a declaration can only be merged with an interface
    interface Matchers<R> extends OfficeMatchers<R> {}
  }
}

globals.expect.extend({ toHaveReceived: matchReceived });

// Jest cannot require ES modules before version 30, which has `import.meta.filename`, and before Node.js 24.9.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const canRequire =
  import.meta.filename !== undefined && (major > 24 || (major === 24 && minor >= 9));
if (!canRequire) await preload();
