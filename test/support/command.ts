import { AsyncLocalStorage } from 'node:async_hooks';
import { format } from 'node:util';
import { onTestFinished } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { caller, type Call } from './office.ts';

/** What a command prints. */
class Output {
  out = '';
  err = '';
  /** Called after each text. */
  onPrint = (): void => undefined;

  print(stream: 'out' | 'err', text: string): void {
    this[stream] += text;
    this.onPrint();
  }
}

/** The output of each command that runs. What tests and other commands print meanwhile is not of it. */
const outputs = new AsyncLocalStorage<Output>();

/** Has the output of the running command receive a text. @returns false outside of commands */
function capture(stream: 'out' | 'err', text: string): boolean {
  const output = outputs.getStore();
  output?.print(stream, text);
  return output !== undefined;
}

const { log, error } = console;
console.log = (...values) => void (capture('out', `${format(...values)}\n`) || log(...values));
console.error = (...values) => void (capture('err', `${format(...values)}\n`) || error(...values));
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (text: string | Uint8Array, ...more: []) =>
  capture('out', String(text)) || write(text, ...more);

// As in a pipe, whatever has started the tests.
process.env['NO_COLOR'] = '1';
delete process.env['FORCE_COLOR'];

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process until it ends. A test that ends first, stops it. */
export async function runCommand(...words: string[]): Promise<Ended> {
  return begin(words, new Output()).ended;
}

const root = process.cwd();

/** Runs a command line as `runCommand` does, in a working directory. */
export async function runCommandIn(folder: string, ...words: string[]): Promise<Ended> {
  if (process.cwd() !== root) throw new Error('The process has one working directory at a time.');
  process.chdir(folder);
  try {
    return await runCommand(...words);
  } finally {
    process.chdir(root);
  }
}

export interface Command {
  readonly ended: Promise<Ended>;
  /** Stops it, as Ctrl+C does. */
  stop(): Promise<Ended>;
  /** Returns the standard output so far. */
  printed(): string;
  /** Returns the standard error output so far. */
  warned(): string;
}

/** Starts a command line in this process, and stops it with the test. */
export function startCommand(...words: string[]): Command {
  return begin(words, new Output());
}

function begin(words: readonly string[], output: Output): Command {
  const stopping = new AbortController();
  const finish = async (): Promise<Ended> => {
    const code = await outputs.run(output, () => run(words, stopping.signal));
    return { code, out: output.out, err: output.err };
  };
  const ended = finish();
  const stop = (): Promise<Ended> => {
    stopping.abort();
    return ended;
  };
  onTestFinished(async () => void (await stop()));
  return { ended, stop, printed: () => output.out, warned: () => output.err };
}

export interface Server extends Command {
  readonly url: string;
  readonly call: Call;
}

/** Starts `backlot`, or `backlot proxy`, on a free port in this process, and stops it with the test. */
export async function startServer(...words: string[]): Promise<Server> {
  const output = new Output();
  const greeted = Promise.withResolvers<string>();
  output.onPrint = () => {
    const [, url] = /(http:\/\/[\d.:]+)[^]* stop /.exec(output.out) ?? [];
    if (url !== undefined) greeted.resolve(url);
  };
  const command = begin(['--port', '0', ...words], output);
  const refused = async (): Promise<never> => {
    const { code, err } = await command.ended;
    throw new Error(`The server ended with exit code ${code}: ${err}`);
  };
  const url = await Promise.race([greeted.promise, refused()]);
  return { ...command, url, call: caller((to, init) => fetch(to, init), url) };
}
