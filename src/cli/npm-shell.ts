import { readFileSync } from 'node:fs';

/**
 * Resolves when the shell that npm started this process with has ended. npm forwards signals to that shell only, and dash,
 * the shell of Debian, does not pass them on: without this, a server outlives `npx backlot`.
 *
 * Never resolves if another process started this one, or if the script starts it in the background: `backlot &`.
 */
export function npmShellExited(): Promise<void> {
  const shell = process.ppid;
  return new Promise((resolve) => {
    if (!isShellOfNpm(shell)) return;
    const timer = setInterval(() => {
      if (process.ppid === shell) return;
      clearInterval(timer);
      resolve();
    }, interval).unref();
  });
}

/** Milliseconds. */
const interval = 200;

function isShellOfNpm(id: number): boolean {
  const { npm_lifecycle_script: script } = process.env;
  if (script === undefined || isBackground.test(script)) return false;
  try {
    const [shell = '', flag, command = ''] = readFileSync(`/proc/${id}/cmdline`, 'utf8').split(
      '\0',
    );
    return shell.endsWith('sh') && flag === '-c' && command.includes(script);
  } catch {
    // Other systems have no `/proc`. Their shells replace themselves by a single command, which receives the signals.
    return false;
  }
}

/** A single `&`, but not that of `2>&1` or `&>`. */
const isBackground = /(?<![&>])&(?![&>])/;
