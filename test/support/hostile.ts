import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { expect, inject } from 'vitest';

export const main = inject('program');

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** The largest size of the process, in MB; undefined where the system does not tell it. */
  readonly memory: number | undefined;
  /** Seconds. */
  readonly took: number;
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
  const start = performance.now();
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
    took: (performance.now() - start) / 1000,
  };
}

/** What no output may have: characters that a terminal or an editor obeys. */
export const raw = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
/** Sets the title and the colour of a terminal, ends a line and turns text around. */
export const controls = '\u001B]0;owned\u0007\u009B31m\u007F\u0085\u2028\u202Egnp.exe';

/** Responds to every request with this JSON. */
export function json(value: unknown, status = 200): RequestListener {
  const body = typeof value === 'string' ? value : JSON.stringify(value);
  return (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

/** A page of these items. */
export function page(items: readonly unknown[]): object {
  const links = { self: { href: '/api/' }, first: { href: '' }, last: { href: '' } };
  return { page: 1, limit: 10, pages: 1, total: 1, _links: links, _embedded: { items } };
}

/** Expects output without control characters, and a process that stayed small. */
export function expectQuiet({ out, err, memory }: Ended): void {
  expect(out + err).not.toMatch(raw);
  // Node.js and the program take 120 of these.
  expect(memory ?? 0).toBeLessThan(200);
}
