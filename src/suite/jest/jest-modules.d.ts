/** The part of Jest's types that `jest.ts` extends. Jest itself is not a development dependency: it has 160 packages. */
declare module '@jest/globals' {
  export const expect: {
    extend(matchers: Readonly<Record<string, (...values: never[]) => object>>): void;
  };
}

declare module '@jest/expect' {
  interface Matchers<R extends void | Promise<void>> {
    toBe(expected: unknown): R;
  }
}
