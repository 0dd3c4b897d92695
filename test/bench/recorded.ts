import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { sendVisits } from './connection.ts';
import type { Sent, Visit } from './workloads.ts';

/** Responses by method and URL: `GET /api/orders/1`. */
export type Recorded = ReadonlyMap<string, RecordedResponse>;

export interface RecordedResponse {
  readonly status: number;
  /** Names and values in turn, as they were sent. */
  readonly headers: string[];
  readonly body: Uint8Array;
}

/**
 * Writes what a server answers to the requests of visits to a file, for the time of the work. A request that
 * recurs is sent once, because the response to it never changes, except for the id in that of a POST: no view shows the
 * field that the PATCH of these workloads changes.
 */
export async function withRecording<Result>(
  url: string,
  visits: readonly Visit[],
  work: (file: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-recorded-'));
  try {
    const file = join(folder, 'responses');
    writeFileSync(file, serialize(await record(url, visits)));
    return await work(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function record(url: string, visits: readonly Visit[]): Promise<Recorded> {
  const distinct = new Map(visits.flat().map((sent) => [keyOf(sent), sent]));
  const recorded = new Map<string, RecordedResponse>();
  const single = Array.from(distinct.values(), (sent) => [sent]);
  await sendVisits(url, single, (sent, { status, head, body }) => {
    recorded.set(keyOf(sent), { status, headers: headersOf(head), body });
  });
  return recorded;
}

function keyOf({ method, path }: Sent): string {
  return `${method} ${path}`;
}

/** Node adds these by itself. */
const added = ['date', 'connection', 'keep-alive'];

function headersOf(head: string): string[] {
  const [, ...lines] = head.split('\r\n');
  const pairs = lines.map((line) => line.split(/: (.*)/s).slice(0, 2));
  return pairs.filter(([name = '']) => !added.includes(name.toLowerCase())).flat();
}
