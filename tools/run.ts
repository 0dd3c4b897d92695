import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

/** Runs a command in a folder and returns what it printed. */
export type Run = (
  command: string,
  args: string[],
  folder: string,
  env?: NodeJS.ProcessEnv,
) => Promise<string>;

/** The root folder of this project. */
export const root = join(import.meta.dirname, '..');

// `npm exec` would take the `node` beside the npm that runs this.
const { npm_config_prefix: _, ...inherited } = process.env;

/** The environment of commands, in which `node` is that of the development dependencies. */
export const environment: NodeJS.ProcessEnv = {
  ...inherited,
  PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
};

const maxPrinted = 64 * 1024 ** 2;

/**
 * Runs a command and returns what it printed.
 *
 * @throws Error with all that the command printed, if it fails
 */
export async function run(
  command: string,
  args: string[],
  cwd = root,
  env: NodeJS.ProcessEnv = environment,
): Promise<string> {
  try {
    const options = { cwd, env, maxBuffer: maxPrinted };
    return (await promisify(execFile)(command, args, options)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed\n${stdout}${stderr}`, { cause: error });
  }
}

/** Milliseconds after which a download is begun anew, once: a registry may stall. */
const stalled = 180_000;

/**
 * Runs a command that downloads packages.
 *
 * @throws Error with all that the command printed, if it fails, or stalls twice
 */
export async function runDownload(
  ...[command, args, cwd = root, env = environment]: Parameters<typeof run>
): Promise<string> {
  for (let left = 2; left > 0; left--) {
    // With a group of its own, it ends with all that it has started.
    const child = spawn(command, args, {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const end = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL');
    const timer = setTimeout(end, stalled);
    const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
    clearTimeout(timer);
    if (code === 0) return out;
    if (code !== null) throw new Error(`${command} ${args.join(' ')} failed\n${out}${error}`);
  }
  throw new Error(`${command} ${args.join(' ')} took longer than ${stalled / 1000} s twice`);
}
