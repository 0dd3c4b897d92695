import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether a program is installed. If not, says in one line which tests could not be run. */
export function hasProgram(name: string, tests: string): boolean {
  const isThere = spawnSync(name, ['-v'], { stdio: 'ignore' }).error === undefined;
  // The configuration of vitest is read once for each project.
  const told = `TOLD_${name}`;
  if (!isThere && process.env[told] === undefined)
    console.warn(`${name} is not installed, so these tests could not be run: ${tests}.`);
  process.env[told] = 'true';
  return isThere;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export interface RedisServer {
  readonly url: string;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** Starts a Redis server without persistence. */
export async function startRedis(port?: number): Promise<RedisServer> {
  const at = port ?? (await freePort());
  const folder = mkdtempSync(join(tmpdir(), 'backlot-redis-'));
  const child = spawn(
    'redis-server',
    ['--port', String(at), '--bind', '127.0.0.1', '--dir', folder, '--save', ''],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  while (!printed.includes('Ready to accept')) await once(child.stdout, 'data');
  return {
    url: `redis://127.0.0.1:${at}/0`,
    child,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
