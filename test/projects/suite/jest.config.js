// Tests of pages, or the files that the variable names.
const { CASES: file = 'page.jest.ts' } = process.env;

export default {
  injectGlobals: false,
  testEnvironment: 'jest-fixed-jsdom',
  // Only ends what hangs, on the busiest of machines.
  testTimeout: 120_000,
  testMatch: [`**/${file}`],
  transform: { '\\.ts$': './strip-types.js' },
  extensionsToTreatAsEsm: ['.ts'],
};
