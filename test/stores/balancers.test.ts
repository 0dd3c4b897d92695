import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startProgram } from '../support/program.ts';
import { freePort, startRedis } from '../support/redis.ts';
import { startReplica } from '../support/replica.ts';
import { read } from '../support/tree.ts';

const order = JSON.stringify({ channel: 1, user: 1, currency: 'EUR' });

/** What the configurations of the documentation leave to those who know the rest. */
const complete = {
  haproxy: (backend: string) => `
defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
frontend shops
  bind :4000
  default_backend servers
${backend}`,
  nginx: (http: string) => `
events {}
http {
  access_log off;
${http}
}`,
};

/** Returns a configuration below a heading of the documentation. */
function recipe(heading: string, language: keyof typeof complete): string {
  const [, section = ''] =
    new RegExp(`\n## ${heading}\n(.*?)(\n## |$)`, 's').exec(read('docs/stores.md')) ?? [];
  const [, text = ''] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(section) ?? [];
  return complete[language](text);
}

/** A program, and the arguments with which it runs a configuration. */
const balancers = {
  haproxy: (file: string) => ['-db', '-f', file],
  nginx: (file: string, folder: string) => ['-p', folder, '-c', file, '-g', nginxDirectives],
};

const nginxDirectives = 'daemon off; pid nginx.pid; error_log stderr;';

/** Runs a balancer in front of servers until the end of the test. Returns its URL. */
async function startBalancer(
  name: keyof typeof balancers,
  configuration: string,
  servers: readonly { readonly url: string }[],
): Promise<string> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'backlot-balancer-'));
  const file = join(folder, 'balancer.cfg');
  const text = servers.reduce(
    (all, { url }, at) => all.replaceAll(`10.0.0.${7 + at}:4000`, new URL(url).host),
    configuration
      .replace('listen 4000', `listen 127.0.0.1:${port}`)
      .replace('bind :4000', `bind 127.0.0.1:${port}`),
  );
  writeFileSync(file, text);
  const child = spawn(name, balancers[name](file, folder), { stdio: ['ignore', 'ignore', 'pipe'] });
  let warned = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (warned += chunk));
  onTestFinished(async () => {
    child.kill();
    if (child.exitCode === null) await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(warned);
    await sleep(50);
  }
  return url;
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/_backlot/health?ready`).catch(() => undefined);
  return answer?.ok === true;
}

/** How a client names its session. */
type Naming = 'path' | 'header' | 'cookie';

/** Sends a request of a session, and returns its status and what it is about. */
async function call(url: string, name: string, naming: Naming, line: string, body?: string) {
  const [method = '', path = ''] = line.split(' ');
  const response = await fetch(`${url}${naming === 'path' ? `/s/${name}` : ''}${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(naming === 'header' && { 'x-backlot-session': name }),
      ...(naming === 'cookie' && { cookie: `other=1; backlot-session=${name}` }),
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return { status: response.status, text, id: Number(/^\{"id":(\d+)/.exec(text)?.[1]) };
}

/** Adds an order. Returns its id; undefined if it may have been added or not. */
async function addOrder(url: string, name: string, naming: Naming): Promise<number | undefined> {
  for (;;) {
    const { status, text, id } = await call(url, name, naming, 'POST /api/orders/', order);
    if (status === 201) return id;
    // One that the balancer has made itself, or of a server that was too busy to keep its session
    expect([502, 503, 504]).toContain(status);
    if (status !== 503 || !text.includes('"code"') || text.includes('may have been performed'))
      return undefined;
    await sleep(100);
  }
}

/** Returns the names of the sessions in the memory of a server. */
async function sessionsOf(url: string): Promise<string[]> {
  const { sessions } = (await (await fetch(`${url}/_backlot/sessions`)).json()) as {
    readonly sessions: readonly { readonly name: string }[];
  };
  return sessions.map(({ name }) => name);
}

/**
 * Runs three servers with one Redis behind a balancer. Each visitor has each acknowledged order once, also while one server
 * after the other is replaced.
 */
async function expectShops(name: keyof typeof balancers, configuration: string): Promise<void> {
  const redis = await startRedis();
  const start = async (port: number) =>
    startReplica(port, ['--store', redis.url, '--proxies', '1']);
  const servers = await Promise.all(
    [await freePort(), await freePort(), await freePort()].map(start),
  );
  onTestFinished(async () => {
    await Promise.all(servers.map(async (server) => server.end('SIGKILL')));
    await redis.stop();
  });
  const url = await startBalancer(name, configuration, servers);
  let [added, uncertain] = [0, 0];
  const visit = async (session: string, naming: Naming, isOver: () => boolean) => {
    const ids: number[] = [];
    for (let count = 0; count < 6 || !isOver(); count++) {
      const id = await addOrder(url, session, naming);
      if (id === undefined) uncertain += 1;
      else ids.push(id);
      await sleep(20);
    }
    for (const id of ids) {
      const found = async () => (await call(url, session, naming, `GET /api/orders/${id}`)).status;
      await expect.poll(found).toBe(200);
    }
    expect(new Set(ids).size).toBe(ids.length);
    added += ids.length;
  };
  const visitAll = async (prefix: string, isOver: () => boolean) =>
    Promise.all(
      (['path', 'header', 'cookie'] as const).flatMap((naming) =>
        [1, 2, 3, 4].map((at) => visit(`${prefix}-${naming}-${at}`, naming, isOver)),
      ),
    );
  await visitAll('one', () => true);
  const inMemory = await Promise.all(servers.map(async (server) => sessionsOf(server.url)));
  for (const names of inMemory) expect(names.length).toBeGreaterThan(0);
  const counts = inMemory
    .flat()
    .map((session) => inMemory.filter((one) => one.includes(session)).length);
  expect(Math.min(...counts)).toBeGreaterThan(1);
  const state = { isOver: false };
  const visits = visitAll('two', () => state.isOver);
  for (const [at, server] of servers.entries()) {
    await server.end('SIGTERM');
    servers[at] = await start(server.port);
  }
  state.isOver = true;
  await visits;
  expect(uncertain).toBeLessThan(added / 20);
}

test.each(['haproxy', 'nginx'] as const)(
  'behind %s, each server of a Redis answers each session',
  { tags: ['redis-server', 'haproxy', 'nginx', 'long'] },
  async (name) => expectShops(name, recipe('Several servers: Redis', name)),
);

test('HAProxy leads each visitor back to one server', { tags: ['haproxy', 'long'] }, async () => {
  const [one, two] = await Promise.all([
    startProgram('--demo', '--rate', '1000', '--client-share', '100', '--quiet'),
    startProgram('--demo', '--rate', '1000', '--client-share', '100', '--quiet'),
  ]);
  // A server that warms up gets no visitors.
  for (const { url } of [one, two]) while (!(await isReady(url))) await sleep(50);
  const configuration = recipe('Several servers without a store', 'haproxy');
  const url = await startBalancer('haproxy', configuration, [one, two]);
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
});
