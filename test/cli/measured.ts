import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, inject } from 'vitest';
import { raw } from '../support/hostile.ts';

const main = inject('program');

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** The largest size of the process, in MB; undefined where the system does not tell it. */
  readonly memory: number | undefined;
}

/** Writes the largest size of the process to the standard error output when it exits. */
const measuring = `data:text/javascript,${encodeURIComponent(`
  import { existsSync, readFileSync } from 'node:fs';
  const file = '/proc/self/status';
  process.on('exit', () => {
    if (existsSync(file)) process.stderr.write(/VmHWM:.*/.exec(readFileSync(file, 'utf8'))[0]);
  });`)}`;

/** Runs the program until it exits. */
export async function runMeasured(...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, ['--import', measuring, main, ...args], {
    env: { ...process.env, NO_COLOR: '1' },
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  const size = /VmHWM:\s*(\d+) kB$/.exec(err);
  return {
    code,
    out,
    err: err.slice(0, size?.index),
    memory: size === null ? undefined : Number(size[1]) / 1024,
  };
}

/** Expects output without control characters, and a process that stayed small. */
export function expectQuiet({ out, err, memory }: Ended): void {
  expect(out + err).not.toMatch(raw);
  // Node.js and the program take 120 of these.
  expect(memory ?? 0).toBeLessThan(200);
}
