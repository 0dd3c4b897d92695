import { expect } from '@jest/globals';
import { matchReceived, type OfficeMatchers } from './received.ts';

export type { ExpectedRequest, RequestName } from './received.ts';

declare module '@jest/expect' {
  // For `expect` of `@jest/globals`.
  interface Matchers<R extends void | Promise<void>> extends OfficeMatchers<R> {}
}

declare global {
  namespace jest {
    // For the global `expect` of `@types/jest`.
    interface Matchers<R> extends OfficeMatchers<R> {}
  }
}

expect.extend({ toHaveReceived: matchReceived });
