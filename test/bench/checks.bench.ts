import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { median, type Figure } from './report.ts';

const root = join(import.meta.dirname, '../..');

/** Processor time of `npm test` over that of the linter: the limit is what 240 seconds are where the linter takes 27. */
export function checkFigures(): Figure[] {
  const rounds = Array.from({ length: 3 }, () => ({
    lint: secondsOf('lint'),
    test: secondsOf('test'),
  }));
  const [lint, test] = [
    median(rounds.map((one) => one.lint)),
    median(rounds.map((one) => one.test)),
  ];
  const detail = `${test.toFixed(0)} s over ${lint.toFixed(0)} s`;
  return [{ name: 'npm test, over the linter', value: test / lint, unit: 'x', limit: 8.9, detail }];
}

/** Seconds of processor time of a script and of every process that it starts. It must pass. */
function secondsOf(script: string): number {
  const timed = `TIMEFORMAT='%U %S'; time npm run -s ${script} >/dev/null 2>&1`;
  const printed = execFileSync('bash', ['-ec', `{ ${timed}; } 2>&1`], {
    cwd: root,
    encoding: 'utf8',
  });
  return printed
    .trim()
    .split(' ')
    .map(Number)
    .reduce((sum, one) => sum + one, 0);
}
