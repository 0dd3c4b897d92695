import { setTimeout as sleep } from 'node:timers/promises';
import type * as z from 'zod';
import { printable } from '../../engine/lib/printable.ts';
import { truncate } from '../../engine/lib/problem.ts';
import { eventsIn } from '../../engine/lib/server-sent-events.ts';
import { noResponse, sendTo, tokenRequired, type RunningServer } from '../running-server.ts';
import { UsageError } from '../values.ts';
import {
  Batch,
  Brief,
  Changed,
  ErrorBody,
  HistoryReach,
  parseAs,
  readAs,
  Summaries,
  type Summary,
} from './received.ts';

/** The events of a server, and what else it knows about their entries. */
export interface Feed {
  /** Returns batches until the signal aborts. Connects again when the connection is lost. */
  batches(since: number | undefined, signal: AbortSignal): AsyncGenerator<Batch>;
  /** Returns the entries between two ids, both excluded. */
  between(since: number, before: number): Promise<readonly Summary[]>;
  /** Returns from which entries on the history is complete; undefined if the server does not say it. */
  reach(): Promise<HistoryReach | undefined>;
  /** Returns the changes of an entry; undefined if the server no longer has it. */
  entry(id: number): Promise<Changed | undefined>;
  /** Returns an entry as a brief response; undefined as `entry`. */
  brief(id: number): Promise<Brief | undefined>;
}

/** In milliseconds: the wait before the first and the longest before a later attempt, and the silence that ends one. */
const times = { first: 250, max: 5000, silence: 15_000 };

/**
 * @param onLost called when the connection is lost
 */
export function feedOf(followed: RunningServer, onLost: () => void): Feed {
  const read = async <Schema extends z.ZodType>(schema: Schema, path: string) => {
    const signal = AbortSignal.timeout(times.silence);
    const response = await sendTo(followed, path, { signal }).catch(() => undefined);
    return response?.ok === true ? readAs(schema, response) : undefined;
  };
  return {
    batches: (since, signal) => batchesOf(followed, onLost, { since, signal }),
    async between(since, before) {
      const range = `since=${since}&before=${before}&limit=1000`;
      return (await read(Summaries, `journal?view=summary&${range}`))?.summaries ?? [];
    },
    reach: () => read(HistoryReach, 'journal?view=summary&limit=1'),
    entry: (id) => read(Changed, `journal/${id}`),
    brief: (id) => read(Brief, `journal/${id}?view=brief`),
  };
}

/** @throws UsageError if the server cannot be reached at first, or rejects the request */
async function* batchesOf(
  followed: RunningServer,
  onLost: () => void,
  { since, signal }: { readonly since: number | undefined; readonly signal: AbortSignal },
): AsyncGenerator<Batch> {
  let last = since;
  let wait: number | undefined;
  while (!signal.aborted) {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), times.silence);
    try {
      const id = last === undefined ? {} : { 'last-event-id': String(last) };
      const either = AbortSignal.any([signal, silence.signal]);
      const response = await sendTo(followed, 'events', { signal: either, headers: id });
      await assertEvents(response, followed);
      wait = times.first;
      if (response.body === null) throw new Error('no body');
      for await (const event of eventsIn(response.body, () => timer.refresh())) {
        const batch = parseAs(Batch, event.data);
        if (batch === undefined) throw notOurs(followed, 'it sent another event');
        last = event.id;
        yield batch;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof UsageError) throw error;
      if (error instanceof RangeError) throw notOurs(followed, error.message);
      if (wait === undefined) throw noResponse(followed);
    } finally {
      clearTimeout(timer);
    }
    if (signal.aborted) return;
    if (wait === times.first) onLost();
    await sleep(wait, undefined, { signal }).catch(() => undefined);
    wait = Math.min(2 * (wait ?? times.first), times.max);
  }
}

/** @param reason completes a sentence */
function notOurs({ url }: RunningServer, reason: string): UsageError {
  return new UsageError(`${url} has no events of Backlot: ${printable(truncate(reason))}`);
}

async function assertEvents(response: Response, followed: RunningServer): Promise<void> {
  const { status, headers } = response;
  const { url } = followed;
  const location = headers.get('location');
  if (status >= 300 && status < 400 && location !== null) {
    throw new UsageError(`${url} redirects to ${printable(truncate(location))}. Pass that URL.`);
  }
  if (headers.get('content-type')?.startsWith('text/event-stream') === true) return;
  // A proxy may answer while the server restarts.
  if (status >= 500) throw new Error(`status ${status}`);
  if (status === 401) throw new UsageError(tokenRequired(followed));
  const body = await readAs(ErrorBody, response);
  throw notOurs(followed, body?.message ?? `status ${status}`);
}
