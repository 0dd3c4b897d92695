import { dirname, join } from 'node:path';

// The tests of Backlot itself run these suites with a build that is not installed, and with other environments and versions.
const { BACKLOT_VITEST: built, CASES: file = 'page.test.ts', MSW: msw = 'msw' } = process.env;
const { ENVIRONMENT: environment = 'jsdom', SETUP: setup, EXCLUDED: excluded } = process.env;

const notInstalled = (path) => [
  { find: 'backlot/vitest', replacement: path },
  { find: 'backlot/suite', replacement: join(dirname(path), 'suite.js') },
];

export default {
  root: import.meta.dirname,
  resolve: {
    alias: [
      { find: /^msw(?=\/|$)/, replacement: msw },
      ...(built === undefined ? [] : notInstalled(built)),
    ],
  },
  test: { environment, include: [file], exclude: [excluded ?? 'none'], setupFiles: setup ?? [] },
};
