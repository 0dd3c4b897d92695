// @module-tag redis-server

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { pseudoRandom } from '../../src/engine/lib/pseudo-random.ts';
import { startCluster, type Cluster, type Fault } from './cluster.ts';
import type { Replica } from '../support/replica.ts';
import { compare, doubt, newVisitor, type Listed, type Visitor } from './checked-writes.ts';
import { runs } from '../support/runs.ts';

/**
 * Does to three servers and their Redis what happens to them in operation, while visitors write, and then compares what
 * was acknowledged with what is there, in the manner of Jepsen (https://jepsen.io). `CHECKER_SEED` repeats the order of
 * faults and writes; what happens at the same time differs.
 */
const seed = Number(process.env['CHECKER_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** The number of visitors, 500 in CI, and the longest time between two writes of one, in milliseconds. */
const [count, pause] = [runs(500), 4000];

/** One fault, or two at the same time. */
type Step = readonly [Fault, Fault?];

type Sent = { readonly status: number; readonly text: string } | 'unknown' | 'unsent';

async function request(url: string, name: string, line: string, body?: unknown): Promise<Sent> {
  const [method = '', path = ''] = line.split(' ');
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'x-backlot-session': name, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    const { cause } = error as { cause?: { syscall?: string } };
    return cause?.syscall === 'connect' ? 'unsent' : 'unknown';
  }
}

/**
 * Returns how long to wait after an attempt, in milliseconds: longer each time. On a busy machine, hundreds of visitors that try
 * again at once keep servers from what would let them answer.
 */
function pauseAfter(attempt: number, random: () => number): number {
  return Math.min(100 * 2 ** attempt, 5000) * (0.5 + random() / 2);
}

/** Sends a write until it is certain whether it was performed, or certain that this cannot be known. */
async function write(
  { replicas }: Cluster,
  random: () => number,
  name: string,
  line: string,
  body?: unknown,
): Promise<Sent> {
  for (let attempt = 0; ; attempt++) {
    const { url } = replicas[Math.floor(random() * replicas.length)]!;
    const sent = await request(url, name, line, body);
    if (sent === 'unknown') return sent;
    if (sent !== 'unsent' && sent.status !== 503) return sent;
    if (sent !== 'unsent' && sent.text.includes('may have been performed')) return 'unknown';
    await sleep(pauseAfter(attempt, random));
  }
}

/** Adds, lists and removes records by number until the faults are over. */
async function visit(cluster: Cluster, visitor: Visitor, isOver: () => boolean): Promise<void> {
  const { name, added, removed, shown, uncertain, wrong } = visitor;
  const random = pseudoRandom(`${seed} ${name}`);
  let losses = 0;
  const doubtAfterLoss = (): void => {
    if (losses !== cluster.losses) doubt(visitor);
    losses = cluster.losses;
  };
  for (let number = 1; number < 3 || !isOver(); number++) {
    await sleep(random() * pause);
    doubtAfterLoss();
    const kept = [...added].find(([one]) => !removed.has(one) && !uncertain.has(one));
    const choice = random();
    if (choice < 0.3) {
      const listed = await list(cluster.replicas[Math.floor(random() * 3)]!, name);
      if (losses === cluster.losses) wrong.push(...compare(visitor, listed));
    } else if (kept !== undefined && choice < 0.5) {
      shown.delete(kept[0]);
      const sent = await write(cluster, random, name, `DELETE /api/stock-locations/${kept[1]}`);
      if (losses !== cluster.losses || sent === 'unknown') uncertain.add(kept[0]);
      else if (sent !== 'unsent' && sent.status === 204) removed.add(kept[0]);
      else wrong.push(`removing ${kept[0]}: ${JSON.stringify(sent)}`);
    } else {
      const body = { code: `w${number}`, name: `write ${number}` };
      const sent = await write(cluster, random, name, 'POST /api/stock-locations/', body);
      if (losses !== cluster.losses || sent === 'unknown') uncertain.add(number);
      else if (sent !== 'unsent' && sent.status === 201) {
        added.set(number, (JSON.parse(sent.text) as { readonly id: number }).id);
      } else wrong.push(`adding ${number}: ${JSON.stringify(sent)}`);
    }
  }
  doubtAfterLoss();
}

/** Returns what a server shows that visitors have added. */
async function list({ url }: Replica, name: string): Promise<Listed[]> {
  for (let attempt = 0; ; attempt++) {
    const sent = await request(url, name, 'GET /api/stock-locations/?limit=100');
    if (sent !== 'unsent' && sent !== 'unknown' && sent.status === 200) {
      const { _embedded } = JSON.parse(sent.text) as { _embedded: { items: Listed[] } };
      return _embedded.items.filter((one) => one.name.startsWith('write '));
    }
    await sleep(pauseAfter(attempt, Math.random));
  }
}

async function check(plan: readonly Step[]): Promise<void> {
  console.log(`CHECKER_SEED=${seed}: ${plan.map((step) => step.join(' and ')).join(', ')}`);
  const visitors = Array.from({ length: count }, (_, at) => newVisitor(`visitor-${at}`));
  const cluster = await startCluster();
  const state = { isOver: false };
  const visits = visitors.map(async (one) => visit(cluster, one, () => state.isOver));
  try {
    await perform(plan, cluster);
  } finally {
    state.isOver = true;
  }
  await Promise.all(visits);
  const wrong = await Promise.all(
    visitors.map(async (visitor) => {
      const seen = [];
      for (const replica of cluster.replicas)
        seen.push(compare(visitor, await list(replica, visitor.name)));
      return [...visitor.wrong, ...seen.flat()].map((text) => `${visitor.name}: ${text}`);
    }),
  );
  expect(wrong.flat()).toEqual([]);
  const acknowledged = visitors.reduce(
    (sum, { added, removed }) => sum + added.size + removed.size,
    0,
  );
  const unknown = visitors.reduce((sum, { uncertain }) => sum + uncertain.size, 0);
  console.log(`${acknowledged} writes were acknowledged, ${unknown} are uncertain.`);
  expect(acknowledged).toBeGreaterThan(count / 4);
}

/** Does one step of a plan after the other, each to random servers, and at a random time after its first fault. */
async function perform(plan: readonly Step[], { replicas, faults }: Cluster): Promise<void> {
  const random = pseudoRandom(String(seed));
  // Half of the visitors have begun.
  await sleep(pause / 2);
  for (const [first, second] of plan) {
    await sleep(random() * 300);
    const at = Math.floor(random() * replicas.length);
    const other = (at + 1 + Math.floor(random() * (replicas.length - 1))) % replicas.length;
    const later = random() * 1000;
    await Promise.all([
      faults[first](at, random),
      second && sleep(later).then(async () => faults[second](other, random)),
    ]);
  }
  await sleep(pause / 2);
}

const all = ['kill', 'stop', 'suspend', 'cut', 'slow', 'freeze', 'empty', 'restart'] as const;

/** Every fault after and beside others, in a random order. */
function mixedPlan(): Step[] {
  const random = pseudoRandom(`${seed} plan`);
  // What happens to Redis does not happen twice at once.
  const one = (): Fault => all[Math.floor(random() * 5)]!;
  const steps = all.map((fault) => ({ step: [fault, one()] as const, place: random() }));
  return steps.toSorted((a, b) => a.place - b.place).map(({ step }) => step);
}

test('sessions keep each acknowledged write once while a server is killed', async () => {
  await check([['kill']]);
});

test.for(all.filter((fault) => fault !== 'kill'))(
  'sessions keep each acknowledged write once, and all that a read has shown, through the fault: %s',
  { tags: 'long' },
  async (fault) => check([[fault], [fault]]),
);

test(
  'sessions keep each acknowledged write once through all faults in a random order',
  { tags: 'long' },
  async () => check(mixedPlan()),
);
