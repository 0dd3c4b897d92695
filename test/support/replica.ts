import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

export interface Replica {
  readonly child: ChildProcess;
  readonly port: number;
  readonly url: string;
  /** Ends it and waits. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts a server, with a store if there are flags. */
export async function startReplica(
  port: number,
  args: readonly string[],
  lease = 10_000,
): Promise<Replica> {
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(
    process.execPath,
    [
      main,
      '--port',
      String(port),
      '--quiet',
      ...(args.length > 0 ? ['--advertise', url, ...args] : []),
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NO_COLOR: '1', BACKLOT_LEASE: String(lease) },
    },
  );
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  while (!printed.includes('stop')) await once(child.stdout, 'data');
  return {
    child,
    port,
    url,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
}
