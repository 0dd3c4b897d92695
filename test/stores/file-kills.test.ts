import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFailed, onTestFinished, test } from 'vitest';
import { pseudoRandom } from '../../src/engine/lib/pseudo-random.ts';
import { FileStore } from '../../src/mounts/stores/file-store.ts';
import { startProgram, type Program } from '../support/program.ts';

const order = { channel: 1, user: 1, currency: 'EUR' };

/** What a client knows of a session. */
interface Known {
  readonly name: string;
  /** Orders whose creation was acknowledged, and whose deletion was never asked for. */
  readonly there: Set<number>;
  /** Orders whose deletion was acknowledged. */
  readonly deleted: Set<number>;
  /** All ids that were given. */
  readonly ids: number[];
}

/** Writes until the program is killed: creates orders and deletes some of them. Calls `done` at each acknowledgement. */
async function write(
  { call }: Program,
  session: Known,
  random: () => number,
  done: () => void,
): Promise<void> {
  const header = { 'x-backlot-session': session.name };
  for (;;) {
    try {
      const [id = 0] = session.there;
      if (session.there.size > 3 && random() < 0.3) {
        // If no response arrives, nobody knows whether it was deleted.
        session.there.delete(id);
        const { status } = await call(`DELETE /api/orders/${id}`, undefined, header);
        expect([204, 503]).toContain(status);
        if (status === 204) session.deleted.add(id);
      } else {
        const { status, body } = await call('POST /api/orders/', order, header);
        // A busy disk can take too long: then the change is not acknowledged.
        expect([201, 503]).toContain(status);
        if (status === 503) continue;
        session.ids.push(body.id);
        session.there.add(body.id);
      }
      done();
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

/** Expects that a program has every write that was acknowledged. */
async function check({ call }: Program, { name, there, deleted, ids }: Known): Promise<void> {
  const header = { 'x-backlot-session': name };
  const statusOf = async (id: number) =>
    (await call(`GET /api/orders/${id}`, undefined, header)).status;
  for (const id of there) expect([name, id, await statusOf(id)]).toEqual([name, id, 200]);
  for (const id of deleted) expect([name, id, await statusOf(id)]).toEqual([name, id, 404]);
  expect(new Set(ids).size).toBe(ids.length);
}

/** Starts a server, kills it right after a response, and checks the next one, again and again. */
async function checkKills(rounds: number, seed: number): Promise<void> {
  onTestFailed(() => console.error(`Again with the same numbers: SEED=${seed}`));
  const random = pseudoRandom(String(seed));
  const folder = mkdtempSync(join(tmpdir(), 'backlot-kills-'));
  const known: Known[] = ['ada', 'bob', 'eve'].map((name) => ({
    name,
    there: new Set(),
    deleted: new Set(),
    ids: [],
  }));
  const start = async () => startProgram('--store', `file:${folder}`, '--quiet');
  let program = await start();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (let round = 0; round < rounds; round++) {
    const { child } = program;
    let left = Math.ceil(random() * 100);
    const done = (): void => {
      left -= 1;
      if (left === 0) child.kill('SIGKILL');
    };
    const exited = once(child, 'exit');
    const writers = [...known, ...known, ...known];
    await Promise.all(writers.map(async (one) => write(program, one, random, done)));
    await exited;
    program = await start();
    for (const session of known) await check(program, session);
  }
  expect(known.flatMap(({ ids }) => ids).length).toBeGreaterThan(rounds);
}

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

test('each write that was acknowledged is there after a kill', async () => {
  await checkKills(1, seed);
});

test(
  'each write that was acknowledged is there after forty kills',
  { tags: 'long', timeout: 600_000 },
  async () => {
    await checkKills(40, seed);
  },
);

/** Runs a program that saves a session again and again, until it ends before a call of the file system, by its number. */
async function saveUntilCall(folder: string, calls: number): Promise<string> {
  const [program, endAtCall] = ['save-forever.ts', '../support/end-at-call.ts'].map((file) =>
    fileURLToPath(new URL(file, import.meta.url)),
  );
  const child = spawn(process.execPath, [`--import=${endAtCall}`, program!, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, CALLS: String(calls) },
  });
  let printed = '';
  child.stdout.on('data', (text: Buffer) => (printed += String(text)));
  const [code] = await once(child, 'close');
  expect(code).toBeNull();
  return printed;
}

test('a process that ends before any call of the file system, or in the middle of it, leaves what was saved last', async () => {
  const root = mkdtempSync(join(tmpdir(), 'backlot-calls-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const saves = await Promise.all(
    Array.from({ length: 30 }, async (_, calls) => {
      const folder = join(root, String(calls));
      const printed = await saveUntilCall(folder, calls);
      const warned: string[] = [];
      const store = await FileStore.open(folder, { idle: 1e9, warn: (line) => warned.push(line) });
      const { text = '{"count":0}' } = await store.read('ada');
      await store.close();
      const { count } = JSON.parse(text) as { count: number };
      const last = Number(printed.trim().split('\n').at(-1));
      expect([calls, warned, count >= last]).toEqual([calls, [], true]);
      return last;
    }),
  );
  expect(Math.max(...saves)).toBeGreaterThan(3);
});
