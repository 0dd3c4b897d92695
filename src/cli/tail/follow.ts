import { setTimeout as sleep } from 'node:timers/promises';
import type { HistoryEntry, HistorySummary } from '../../office/history-api.ts';
import { sessionHeader } from '../../sessions/request-target.ts';

/** A running server, and the session to follow. */
export interface Followed {
  /** URL in front of `/_backlot`, without a slash at the end. */
  readonly url: string;
  readonly token: string | undefined;
  readonly session: string | undefined;
}

/** A server that cannot be followed. The message is for the user. */
export class NotFollowed extends Error {
  override readonly name = 'NotFollowed';
}

/** The events of a server, and what else it knows about their entries. */
export interface Feed {
  /** Returns batches until the signal aborts. Connects again when the connection is lost. */
  batches(since: number | undefined, signal: AbortSignal): AsyncGenerator<Batch>;
  /** Returns the entries between two ids, both excluded. */
  between(since: number, before: number): Promise<readonly HistorySummary[]>;
  /** Returns a whole entry; undefined if the server no longer has it. */
  entry(id: number): Promise<HistoryEntry | undefined>;
}

export interface Batch {
  readonly entries: readonly HistorySummary[];
  /** Number of earlier entries that are left out. */
  readonly more?: number;
}

/** In milliseconds: the wait before the first and the longest before a later attempt, and the silence that ends one. */
const times = { first: 250, max: 5000, silence: 15_000 };

/**
 * @param onLost called when the connection is lost
 */
export function feedOf(followed: Followed, onLost: () => void): Feed {
  const get = (path: string, headers: Readonly<Record<string, string>>, signal?: AbortSignal) =>
    fetch(`${followed.url}/_backlot/${path}`, {
      headers: { ...headersOf(followed), ...headers },
      ...(signal !== undefined && { signal }),
    });
  const json = async (path: string): Promise<unknown> => {
    const response = await get(path, {}).catch(() => undefined);
    return response?.ok === true ? response.json() : undefined;
  };
  return {
    batches: (since, signal) => batchesOf({ followed, get, onLost }, since, signal),
    async between(since, before) {
      const range = `since=${since}&before=${before}&limit=1000`;
      const found = await json(`journal?view=summary&${range}`);
      return (found as { summaries: HistorySummary[] } | undefined)?.summaries ?? [];
    },
    entry: async (id) => (await json(`journal/${id}`)) as HistoryEntry | undefined,
  };
}

function headersOf({ token, session }: Followed): Record<string, string> {
  return {
    ...(token !== undefined && { 'x-backlot-token': token }),
    ...(session !== undefined && { [sessionHeader]: session }),
  };
}

interface Connection {
  readonly followed: Followed;
  readonly get: (
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ) => Promise<Response>;
  readonly onLost: () => void;
}

/** @throws NotFollowed if the server cannot be reached at first, or rejects the request */
async function* batchesOf(
  { followed, get, onLost }: Connection,
  since: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  let last = since;
  let wait: number | undefined;
  while (!signal.aborted) {
    const silence = new AbortController();
    try {
      const id = last === undefined ? {} : { 'last-event-id': String(last) };
      const response = await get('events', id, AbortSignal.any([signal, silence.signal]));
      await assertEvents(response, followed);
      wait = times.first;
      for await (const event of eventsIn(response, silence)) {
        last = event.id;
        yield event.batch;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof NotFollowed) throw error;
      if (wait === undefined) throw notThere(followed);
    }
    if (signal.aborted) return;
    if (wait === times.first) onLost();
    await sleep(wait, undefined, { signal }).catch(() => undefined);
    wait = Math.min(2 * (wait ?? times.first), times.max);
  }
}

function notThere({ url }: Followed): NotFollowed {
  return new NotFollowed(`No response from ${url}. Is the server running?`);
}

async function assertEvents(response: Response, { url }: Followed): Promise<void> {
  const { status, headers } = response;
  if (headers.get('content-type')?.startsWith('text/event-stream') === true) return;
  // A proxy may answer while the server restarts.
  if (status >= 500) throw new Error(`status ${status}`);
  const { message } = ((await response.json().catch(() => undefined)) ?? {}) as {
    readonly message?: string;
  };
  if (status === 401)
    throw new NotFollowed(`${url} requires the token of its control API: --token <token>.`);
  throw new NotFollowed(`${url} has no events of Backlot: ${message ?? `status ${status}`}`);
}

interface ReceivedEvent {
  readonly id: number;
  readonly batch: Batch;
}

/** Parses server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
async function* eventsIn(
  { body }: Response,
  silence: AbortController,
): AsyncGenerator<ReceivedEvent> {
  if (body === null) return;
  const timer = setTimeout(() => silence.abort(), times.silence);
  let text = '';
  try {
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      timer.refresh();
      text += chunk;
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const id = /^id: (\d+)$/m.exec(part)?.[1];
        const data = /^data: (.*)$/m.exec(part)?.[1];
        if (id === undefined || data === undefined) continue;
        yield { id: Number(id), batch: JSON.parse(data) as Batch };
      }
    }
  } finally {
    clearTimeout(timer);
  }
}
