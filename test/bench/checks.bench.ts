import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { median, type Figure } from './report.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Processor time of what a developer runs again and again, over that of the linter. The limits are what 35 and 330 seconds
 * are where the linter takes 16.
 */
export function checkFigures(): Figure[] {
  const rounds = Array.from({ length: 3 }, () => ({
    lint: secondsOf('lint'),
    fast: secondsOf('test:fast'),
  }));
  const lint = median(rounds.map((one) => one.lint));
  const all = secondsOf('test');
  return [
    figureOf('test:fast', median(rounds.map((one) => one.fast)), lint, 2.2),
    figureOf('test', all, lint, 20.6),
  ];
}

function figureOf(script: string, seconds: number, lint: number, limit: number): Figure {
  const detail = `${seconds.toFixed(0)} s over ${lint.toFixed(0)} s`;
  return {
    name: `npm run ${script}, over the linter`,
    value: seconds / lint,
    unit: 'x',
    limit,
    detail,
  };
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
