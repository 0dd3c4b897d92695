import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { inject, onTestFinished } from 'vitest';
import { caller, type Call } from './office.ts';

const main = inject('program');

export interface Program {
  readonly child: ChildProcess;
  readonly url: string;
  readonly call: Call;
  /** Returns the standard output so far. */
  printed(): string;
  /** Returns the standard error output so far. */
  warned(): string;
}

/** Starts the server on a free port as its users do, and stops it with the test. */
export async function startProgram(...args: string[]): Promise<Program> {
  return startProgramIn({}, ...args);
}

/** Starts the server as `startProgram` does, with more environment variables. */
export async function startProgramIn(
  env: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<Program> {
  return startProgramAt(process.cwd(), env, ...args);
}

/** Starts the server as `startProgramIn` does, in a working directory. */
export async function startProgramAt(
  cwd: string,
  env: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<Program> {
  return startScript(main, env, cwd, args);
}

/** Starts a script of Node.js that is a server, as `startProgramAt` does. */
export async function startScript(
  script: string,
  env: Readonly<Record<string, string>>,
  cwd: string,
  args: readonly string[],
): Promise<Program> {
  const child = spawn(process.execPath, [script, '--port', '0', ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', ...env },
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, 'exit');
  });
  let [printed, warned] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    warned += text;
    process.stderr.write(text);
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  while (!printed.includes('stop')) await once(child.stdout, 'data');
  const url = /http:\/\/[\d.:]+/.exec(printed)?.[0] ?? '';
  return {
    child,
    url,
    call: caller((to, init) => fetch(to, init), url),
    printed: () => printed,
    warned: () => warned,
  };
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a command until it exits. */
export function runProgram(...args: string[]): Promise<Ended> {
  return runProgramIn(process.cwd(), ...args);
}

/** Runs a command in a working directory until it exits. */
export function runProgramIn(cwd: string, ...args: string[]): Promise<Ended> {
  return runProgramWith({}, cwd, ...args);
}

/** Runs a command as `runProgramIn` does, with more environment variables. */
export function runProgramWith(
  env: Readonly<Record<string, string>>,
  cwd: string,
  ...args: string[]
): Promise<Ended> {
  return runScript(main, env, cwd, args);
}

/** Runs a script of Node.js until it exits. */
export async function runScript(
  script: string,
  env: Readonly<Record<string, string>>,
  cwd: string,
  args: readonly string[],
): Promise<Ended> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err: err.replaceAll(progressLines, '') };
}

/** Say how far the run of a suite is, as often as it is slow. */
const progressLines = /^backlot: (mutate|chaos|mocks): .*, \d+ s\n/gm;
