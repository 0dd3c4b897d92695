// The tests of Backlot itself run this suite with other files, environments and a version of MSW.
const { CASES: file = 'page.test.ts', ENVIRONMENT: environment = 'jsdom', MSW: msw } = process.env;

export default {
  root: import.meta.dirname,
  resolve: { alias: msw === undefined ? [] : [{ find: /^msw(?=\/|$)/, replacement: msw }] },
  test: { environment, include: [file] },
};
