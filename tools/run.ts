import { execFile } from 'node:child_process';
import { join } from 'node:path';
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

// `npm exec` would take the `node` beside the npm that runs this, and Vite would build pages for tests inside of Vitest.
const { npm_config_prefix: _, NODE_ENV: __, ...inherited } = process.env;

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
