import { sendVisits } from './connection.ts';
import { withRecording } from './recorded.ts';
import { median } from './report.ts';
import { startServer, type MeasuredServer } from './servers.ts';
import type { Visit } from './workloads.ts';

/** What is sent in a run: the same to both servers. */
export interface RunPlan {
  /** Number of orders to generate (default scenario: 0). */
  readonly orders: number;
  /** What was sent some time ago: its garbage is collected before the warm-up, not while requests are measured. */
  readonly before: readonly Visit[];
  readonly warmUp: readonly Visit[];
  readonly rounds: readonly (readonly Visit[])[];
}

/** Microseconds of processor time of a request, in one process of each server. */
export type Run = Readonly<Record<'backlot' | 'bare', number>>;

/**
 * Measures runs, each in new processes.
 *
 * @param recorder URL of a server that gives the bare ones their responses. It is none of those that are measured: what
 * it caches while they are recorded must not help them.
 */
export async function measureRuns(plan: RunPlan, recorder: string, count: number): Promise<Run[]> {
  const visits = [...plan.before, ...plan.warmUp, ...plan.rounds.flat()];
  return withRecording(recorder, visits, async (file) => {
    const runs: Run[] = [];
    while (runs.length < count) runs.push(await measureRun(plan, file));
    return runs;
  });
}

/** Starts a process of Backlot and one of the bare server, and sends the rounds to both in turn. */
async function measureRun(plan: RunPlan, file: string): Promise<Run> {
  const { orders, before, warmUp, rounds } = plan;
  const [backlot, bare] = await Promise.all([
    startServer('serve-backlot.ts', [String(orders)]),
    startServer('serve-recorded.ts', [file]),
  ]);
  try {
    for (const server of [backlot, bare]) {
      await spentOn(server, before);
      await server.collect();
      await spentOn(server, warmUp);
    }
    const used = { backlot: 0, bare: 0 };
    for (const visits of rounds) {
      const ours = await spentOn(backlot, visits);
      const theirs = await spentOn(bare, visits);
      if (ours.bytes !== theirs.bytes) {
        throw new Error(`Backlot sent ${ours.bytes} bytes, the bare server ${theirs.bytes}`);
      }
      used.backlot += ours.cpu;
      used.bare += theirs.cpu;
    }
    const requests = rounds.flat(2).length;
    return { backlot: used.backlot / requests, bare: used.bare / requests };
  } finally {
    backlot.stop();
    bare.stop();
  }
}

/** Returns microseconds of processor time, and the bytes of all bodies. */
export async function spentOn(
  server: MeasuredServer,
  visits: readonly Visit[],
): Promise<{ cpu: number; bytes: number }> {
  const before = await server.cpu();
  let bytes = 0;
  await sendVisits(server.url, visits, (_, { body }) => {
    bytes += body.length;
  });
  return { cpu: (await server.cpu()) - before, bytes };
}

/** The median of the ratios of runs. */
export function ratioOf(runs: readonly Run[]): number {
  return median(runs.map(({ backlot, bare }) => backlot / bare));
}

/** Says what a ratio is made of, and how far the runs differ: `148 µs over 40 µs; runs 3.52 to 3.81`. */
export function detailOf(runs: readonly Run[]): string {
  const ours = median(runs.map(({ backlot }) => backlot));
  const theirs = median(runs.map(({ bare }) => bare));
  const ratios = runs.map(({ backlot, bare }) => backlot / bare);
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
  return `${ours.toFixed(0)} µs over ${theirs.toFixed(0)} µs; ${runs.length} runs, ${low.toFixed(2)} to ${high.toFixed(2)}`;
}
