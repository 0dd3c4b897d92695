import type { Reporter, TestModule } from 'vitest/node';
import { programTags } from './programs.ts';

/** Ends a run with lines that people and programs can read: what could not be run, then `412 passed, 0 failed`. */
export const tally: Reporter = {
  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: 'passed' | 'failed' | 'skipped') =>
      tests.filter((test) => test.result().state === state).length;
    for (const { name, skip } of programTags) {
      const unrun = skip ? tests.filter(({ tags }) => tags.includes(name)).length : 0;
      if (unrun > 0) process.stdout.write(`Skipped because ${name} is not installed: ${unrun}\n`);
    }
    const failed = count('failed') + modules.filter(isBroken).length + unhandledErrors.length;
    const skipped = count('skipped') === 0 ? '' : `, ${count('skipped')} skipped`;
    process.stdout.write(`${count('passed')} passed, ${failed} failed${skipped}\n`);
    checkBudget();
  },
};

/** A file that could not be loaded counts as failed, although none of its tests ran. */
function isBroken(module: TestModule): boolean {
  return module.errors().length > 0;
}

/** Fails a run of more than `CPU_SECONDS` of processor time. Files in threads count, files in processes do not. */
function checkBudget(): void {
  const budget = process.env['CPU_SECONDS'];
  if (budget === undefined) return;
  const { user, system } = process.cpuUsage();
  const seconds = Math.round((user + system) / 1e6);
  process.stdout.write(`${seconds} s of processor time, of at most ${budget} s\n`);
  if (seconds > Number(budget)) process.exitCode = 1;
}
