// The tests of Backlot itself run this suite with a build that is not installed.
const { BACKLOT_VITEST: built, CASES: file = 'page.test.ts' } = process.env;

export default {
  root: import.meta.dirname,
  resolve: { alias: built === undefined ? {} : { 'backlot/vitest': built } },
  test: { environment: 'jsdom', include: [file] },
};
