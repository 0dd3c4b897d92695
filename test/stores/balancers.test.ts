import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startProgram } from '../support/program.ts';
import { freePort } from '../support/redis.ts';
import { read } from '../support/tree.ts';

const order = JSON.stringify({ channel: 1, user: 1, currency: 'EUR' });

/** Returns a configuration of the documentation, with the addresses of this test. */
function recipe(language: string, servers: readonly string[]): string {
  const [, text = ''] =
    new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(read('docs/stores.md')) ?? [];
  return servers.reduce((all, server, at) => all.replaceAll(`10.0.0.${7 + at}:4000`, server), text);
}

const configurations = {
  haproxy: (backend: string, port: number) => `
defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
frontend demo
  bind 127.0.0.1:${port}
  default_backend servers
${backend}`,
  nginx: (http: string, port: number) => `
daemon off;
pid nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
${http.replace('listen 4000', `listen 127.0.0.1:${port}`)}
}`,
};

test('HAProxy leads each visitor back to one server', { tags: 'haproxy' }, async () => {
  await expectSticky('haproxy', (file) => ['-db', '-f', file]);
});

test('nginx leads each visitor back to one server', { tags: ['nginx', 'long'] }, async () => {
  await expectSticky('nginx', (file, folder) => ['-p', folder, '-c', file]);
});

async function expectSticky(
  name: keyof typeof configurations,
  args: (file: string, folder: string) => string[],
): Promise<void> {
  const [one, two] = await Promise.all([
    startProgram('--demo', '--rate', '1000', '--client-share', '100', '--quiet'),
    startProgram('--demo', '--rate', '1000', '--client-share', '100', '--quiet'),
  ]);
  // A server that warms up gets no visitors.
  for (const { url } of [one, two]) await untilReady(url);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'backlot-balancer-'));
  const file = join(folder, 'balancer.cfg');
  const servers = [one, two].map(({ url }) => new URL(url).host);
  writeFileSync(file, configurations[name](recipe(name, servers), port));
  const child = spawn(name, args(file, folder), { stdio: 'ignore' });
  onTestFinished(async () => {
    child.kill();
    await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url);
  const used = new Set<string>();
  while (used.size < 2) {
    await sleep(100);
    const cookies = new Map<string, string>();
    for (let count = 0; count < 4; count++) {
      const response = await fetch(`${url}/api/orders/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: [...cookies.values()].join('; ') },
        body: order,
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [pair = ''] = cookie.split(';');
        cookies.set(pair.split('=', 1)[0] ?? '', pair);
      }
      expect(await response.json()).toMatchObject({ id: 121 + count });
    }
    used.add(cookies.get('server') ?? '');
  }
}

async function untilReady(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/_backlot/health?ready`).catch(() => undefined);
    if (answer?.ok === true) return;
    await sleep(50);
  }
}
