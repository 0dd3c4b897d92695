import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from '../support/redis.ts';

/**
 * Starts nginx, and stops it with the test.
 *
 * @param http returns what its `http` block has beside its defaults
 * @returns its URL
 */
export async function startNginx(http: (port: number) => string): Promise<string> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'backlot-nginx-'));
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off;
pid nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
${http(port)}
}`,
  );
  const child = spawn('nginx', ['-p', folder, '-c', file], { stdio: 'ignore' });
  onTestFinished(async () => {
    child.kill();
    await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(url).then(
      () => true,
      () => false,
    ))
  );
  return url;
}
