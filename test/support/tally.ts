import { globSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { programTags } from './programs.ts';
import { root } from './tree.ts';

/**
 * Ends a run with lines that people and programs can read: what could not be run, what passed only when it was tried again,
 * then `412 passed, 0 failed`.
 */
export const tally: Reporter = {
  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: 'passed' | 'failed' | 'skipped') =>
      tests.filter((test) => test.result().state === state).length;
    for (const { name, skip, hint = '' } of programTags) {
      const unrun = skip ? tests.filter(({ tags }) => tags.includes(name)).length : 0;
      if (unrun > 0)
        process.stdout.write(`Skipped because ${name} is not installed: ${unrun}${hint}\n`);
    }
    for (const test of tests.filter((one) => one.diagnostic()?.flaky === true))
      process.stdout.write(
        `Passed only at a repeated try: ${test.module.relativeModuleId} > ${test.fullName}\n`,
      );
    const failed = count('failed') + modules.filter(isBroken).length + unhandledErrors.length;
    const skipped = count('skipped') === 0 ? '' : `, ${count('skipped')} skipped`;
    const said = `${count('passed')} passed, ${failed} failed${skipped}`;
    process.stdout.write(`${said}${leftOut(modules)}\n`);
  },
};

/** A file that could not be loaded counts as failed, although none of its tests ran. */
function isBroken(module: TestModule): boolean {
  return module.errors().length > 0;
}

/** What `npm test` leaves out: `. npm run test:all has 180 more files.` */
function leftOut(modules: readonly TestModule[]): string {
  if (process.env['TESTS'] !== 'quick') return '';
  const all = globSync('test/**/*.test.{ts,tsx}', { cwd: root, exclude: ['test/projects/**'] });
  const run = new Set(modules.map(({ moduleId }) => moduleId));
  return `. npm run test:all has ${all.length - run.size} more files.`;
}
