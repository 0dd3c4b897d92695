import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackage } from '../../tools/packed.ts';
import { median, type Figure } from './report.ts';

const rounds = 9;
const root = join(import.meta.dirname, '../..');

/** Time from spawn to the first 200 of the built program and of the sources, relative to a bare Express app with one route. */
export async function startFigures(): Promise<Figure[]> {
  // It finds its packages, so it stands below node_modules.
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'start-'));
  try {
    await buildPackage(folder, '--no-types');
    const program = join(folder, 'dist/cli/main.js');
    const sources = join(root, 'src/cli/main.ts');
    // The first start of all leaves its compiled code for the others.
    for (const main of [program, sources]) await timeOf(main);
    const times: Times[] = [];
    for (let round = 0; round < rounds; round++) {
      times.push({
        program: await timeOf(program),
        bare: await timeOfBare(),
        sources: await timeOf(sources),
      });
    }
    return [{ ...figureOf('program', times), limit: 1.5 }, figureOf('sources', times)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds of one round. */
type Times = Readonly<Record<'program' | 'sources' | 'bare', number>>;

function figureOf(what: 'program' | 'sources', times: readonly Times[]): Figure {
  const ours = median(times.map((one) => one[what]));
  const bare = median(times.map((one) => one.bare));
  return {
    name: `cold start of the ${what}, over a bare Express app`,
    value: median(times.map((one) => one[what] / one.bare)),
    unit: 'x',
    detail: `${ours.toFixed(0)} ms over ${bare.toFixed(0)} ms`,
  };
}

function timeOf(main: string): Promise<number> {
  return timeToAnswer([main, '--port', '4871', '--quiet'], 4871, '/api/channels/1');
}

function timeOfBare(): Promise<number> {
  return timeToAnswer([join(import.meta.dirname, 'serve-express.ts'), '4872'], 4872, '/');
}

async function timeToAnswer(args: string[], port: number, path: string): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended before it answered`);
    const status = await fetch(`http://127.0.0.1:${port}${path}`).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) break;
    await new Promise((resume) => {
      setTimeout(resume, 2);
    });
  }
  const took = performance.now() - start;
  const ended = new Promise((resume) => {
    child.once('exit', resume);
  });
  child.kill();
  await ended;
  return took;
}
