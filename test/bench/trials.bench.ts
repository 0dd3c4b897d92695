import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPackage, pack } from '../../tools/packed.ts';
import { environment, root } from '../../tools/run.ts';
import { install } from '../../tools/try-folders.ts';
import { median, type Figure } from './report.ts';

const rounds = 5;

/** What `mutate` and `chaos` take for a suite of 34 tests, and what the suite takes without them. */
export async function trialFigures(): Promise<Figure[]> {
  const work = mkdtempSync(join(tmpdir(), 'backlot-trials-'));
  try {
    const project = join(work, 'suite-34');
    cpSync(join(root, 'test/projects/suite-34'), project, { recursive: true });
    await install(project, await pack(await buildPackage(join(work, 'package')), work));
    const mutate = await measured(project, 'mutate');
    const chaos = await measured(project, 'chaos');
    const whole = { unit: 'ms', limit: 60_000 } as const;
    const first = { unit: 'ms', limit: 10_000, value: mutate.first } as const;
    return [
      { name: 'mutate of 34 tests', value: mutate.all, detail: mutate.summary, ...whole },
      { name: 'mutate of 34 tests, until the first finding', ...first },
      // The pages of this suite survive all faults.
      { name: 'chaos of 34 tests', value: chaos.all, detail: chaos.summary, ...whole },
      await costFigure(project),
    ];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

interface Measured {
  readonly all: number;
  /** Until the first finding is printed. */
  readonly first: number;
  readonly summary: string;
}

async function measured(project: string, command: 'mutate' | 'chaos'): Promise<Measured> {
  const start = performance.now();
  const child = spawn('npx', ['backlot', command, '--', 'vitest', 'run'], {
    cwd: project,
    env: { ...environment, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let [out, first] = ['', Number.NaN];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    if (Number.isNaN(first)) first = performance.now() - start;
  });
  await once(child, 'close');
  const summary = /34 tests, .*/.exec(out)?.[0];
  if (summary === undefined) throw new Error(`${command} printed no summary:\n${out}`);
  return { all: performance.now() - start, first, summary };
}

/** Runs the suite in turn with the code of the commands, and without it. */
async function costFigure(project: string): Promise<Figure> {
  const code = join(project, 'node_modules/backlot/dist/vitest-suite-runner.js');
  const times: { readonly present: number; readonly absent: number }[] = [];
  await timeOf(project);
  for (let round = 0; round < rounds; round++) {
    const present = await timeOf(project);
    renameSync(code, `${code}.absent`);
    const absent = await timeOf(project);
    renameSync(`${code}.absent`, code);
    times.push({ present, absent });
  }
  const ratios = times.map(({ present, absent }) => present / absent);
  return {
    name: '34 tests without a command, over a package without it',
    value: median(ratios),
    unit: 'x',
    limit: 1.05,
    detail: `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
  };
}

async function timeOf(project: string): Promise<number> {
  const start = performance.now();
  const child = spawn('npx', ['vitest', 'run'], {
    cwd: project,
    env: environment,
    stdio: 'ignore',
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error('The suite of 34 tests fails.');
  return performance.now() - start;
}
