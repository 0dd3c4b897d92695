import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { environment, root, type run } from './run.ts';

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
