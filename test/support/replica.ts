import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { createHttpServer } from '../../src/mounts/server/server.ts';
import { openStored } from '../../src/mounts/stores/open-stored.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import { openSessions, type SessionOptions } from '../../src/engine/sessions/server.ts';
import { freePort } from './redis.ts';

export interface Replica {
  readonly child: ChildProcess;
  readonly port: number;
  readonly url: string;
  /** Ends it and waits. */
  end(signal: NodeJS.Signals): Promise<void>;
}

const shiftClock = fileURLToPath(new URL('shift-clock.ts', import.meta.url));

/**
 * Starts a server, with a store if there are flags.
 *
 * @param clockShift by how many milliseconds its clock is ahead
 */
export async function startReplica(
  port: number,
  args: readonly string[],
  clockShift = 0,
  program = inject('program'),
): Promise<Replica> {
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(
    process.execPath,
    [
      `--import=${shiftClock}`,
      '--inspect-port=0',
      program,
      '--port',
      String(port),
      '--quiet',
      ...args,
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', CLOCK_SHIFT: String(clockShift) },
    },
  );
  child.stderr.on('data', (bytes: Buffer) => {
    if (!/debugg/i.test(String(bytes))) process.stderr.write(bytes);
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const ended = once(child, 'exit');
  while (!printed.includes('stop')) {
    await Promise.race([once(child.stdout, 'data'), ended]);
    if (child.exitCode !== null) throw new Error(`A server ended with exit code ${child.exitCode}`);
  }
  return {
    child,
    port,
    url,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      await ended;
    },
  };
}

const milliseconds = (): number => performance.now();

export interface OpenReplica {
  readonly url: string;
  /** What the terminal would show. */
  readonly lines: readonly string[];
  close(): Promise<void>;
}

/** Starts a server in this process, with a store. Its history is on, as that of the program. */
export async function openReplica(
  store: string,
  {
    idle = 'PT1H',
    resetEvery,
    warn = () => undefined,
    ...options
  }: {
    idle?: string;
    resetEvery?: number;
    warn?: (message: string) => void;
  } & SessionOptions = {},
): Promise<OpenReplica> {
  const server = openSessions(openStoreOffice({ milliseconds, history: true }), {
    milliseconds,
    ...options,
  });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const lines: string[] = [];
  const stored = await openStored(server, {
    url: store,
    idle,
    resetEvery,
    sessions: options.sessions ?? 'optional',
    program: 'test',
    warn: (line) => {
      lines.push(line);
      warn(line);
    },
  });
  const http = createHttpServer(server, { sessionRouter: stored.sessionRouter }).listen(
    port,
    '127.0.0.1',
  );
  await once(http, 'listening');
  return {
    url,
    lines,
    async close() {
      http.close();
      http.closeAllConnections();
      await stored.close();
    },
  };
}
