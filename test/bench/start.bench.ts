import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackage } from '../../tools/packed.ts';
import { freePort } from '../support/redis.ts';
import { median, type Figure } from './report.ts';

const rounds = 5;
const root = join(import.meta.dirname, '../..');

const scenario = { name: 'orders', description: 'For measuring', extends: 'default' };

/**
 * Time from spawn to the first 200: of the built program and of the sources, relative to a bare Express app with one route;
 * and of the program with a scenario that generates 1,000 orders, relative to the same scenario without these.
 */
export async function startFigures(): Promise<Figure[]> {
  // It finds its packages, so it stands below node_modules.
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'start-'));
  const write = (name: string, content: object): string => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(content));
    return file;
  };
  try {
    await buildPackage(folder, '--no-types');
    const program = [join(folder, 'dist/cli/main.js'), '--quiet'];
    const few = write('few.json', scenario);
    const many = write('many.json', { ...scenario, generate: { orders: 1000 } });
    const starts: Readonly<Record<Start, readonly string[]>> = {
      program,
      sources: [join(root, 'src/cli/main.ts'), '--quiet'],
      few: [...program, '--scenario', few],
      many: [...program, '--scenario', many],
      express: [join(import.meta.dirname, 'serve-express.ts')],
    };
    // The first start of all leaves its compiled code for the others.
    await timesOf(starts);
    const times: Times[] = [];
    while (times.length < rounds) times.push(await timesOf(starts));
    return [
      {
        ...figureOf(
          'cold start of the program, over a bare Express app',
          times,
          'program',
          'express',
        ),
        limit: 1.5,
      },
      figureOf('cold start of the sources, over a bare Express app', times, 'sources', 'express'),
      {
        ...figureOf('start with 1,000 generated orders, over that without', times, 'many', 'few'),
        limit: 3,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Start = 'program' | 'sources' | 'few' | 'many' | 'express';
/** Milliseconds of one round. */
type Times = Readonly<Record<Start, number>>;

/** Measures each start once, in turn. */
async function timesOf(starts: Readonly<Record<Start, readonly string[]>>): Promise<Times> {
  const { program, sources, few, many, express } = starts;
  return {
    program: await timeToAnswer(program),
    express: await timeToAnswer(express, '/'),
    sources: await timeToAnswer(sources),
    few: await timeToAnswer(few),
    many: await timeToAnswer(many),
  };
}

function figureOf(name: string, times: readonly Times[], one: Start, other: Start): Figure {
  const [ours, theirs] = [one, other].map((start) => median(times.map((time) => time[start])));
  return {
    name,
    value: median(times.map((time) => time[one] / time[other])),
    unit: 'x',
    detail: `${ours!.toFixed(0)} ms over ${theirs!.toFixed(0)} ms`,
  };
}

async function timeToAnswer(args: readonly string[], path = '/api/channels/1'): Promise<number> {
  const port = await freePort();
  const start = performance.now();
  const child = spawn(process.execPath, [...args, '--port', String(port)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
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
