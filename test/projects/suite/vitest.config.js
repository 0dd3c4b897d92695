import { dirname, join } from 'node:path';

// The tests of Backlot itself run this suite with a build that is not installed.
const { BACKLOT_VITEST: built, CASES: file = 'page.test.ts', SETUP: setup } = process.env;

const notInstalled = (path) => ({
  'backlot/vitest': path,
  'backlot/suite': join(dirname(path), 'suite.js'),
});

export default {
  root: import.meta.dirname,
  resolve: { alias: built === undefined ? {} : notInstalled(built) },
  test: { environment: 'jsdom', include: [file], setupFiles: setup ?? [] },
};
