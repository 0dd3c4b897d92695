import { valueAt } from '../engine/lib/json-value.ts';
import { eventsIn } from '../engine/lib/server-sent-events.ts';
import { messageOf } from './reply-message.ts';
import { batchOf, send, type Batch, type Connection, type Source } from './source.ts';

const tokenKey = 'backlot-token';

/** The wait after a stream that has ended without an error, in milliseconds. */
const pollInterval = 1000;
/** The waits between two tries to connect, in milliseconds. */
const retries = [500, 1000, 2000, 5000];

/** Keeps the token of the control API until the tab is closed. */
export function saveToken(token: string): void {
  sessionStorage.setItem(tokenKey, token);
}

/** @param root the URL in front of `/_backlot/` */
export function httpSource(root: string): Source {
  return {
    root,
    isServer: true,
    call: (line, body, headers) =>
      send((url, init) => fetch(url, init), root, line, body, { ...tokenHeader(line), ...headers }),
    events: (since, listener, onConnection) => receive(root, since, listener, onConnection),
  };
}

/** The store API has tokens of its own. */
function tokenHeader(line: string): Record<string, string> {
  const token = sessionStorage.getItem(tokenKey);
  if (token === null || !line.includes(' /_backlot/')) return {};
  return { 'x-backlot-token': token };
}

/**
 * Reads the stream of events with `fetch`, because `EventSource` sends no headers. Connects again after it was lost, and
 * disconnects while the page is hidden: a browser has few connections for each server.
 */
function receive(
  root: string,
  since: number | undefined,
  listener: (batch: Batch) => void,
  onConnection: ((connection: Connection, reason?: string) => void) | undefined,
): () => void {
  let last = since;
  let failures = 0;
  let isFirst = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let abort = new AbortController();

  async function connect({ signal }: AbortController): Promise<void> {
    try {
      const isOver = !isFirst && (await hasEnded(root, signal));
      isFirst = false;
      const response = isOver ? undefined : await openStream(root, last, signal);
      onConnection?.(response === undefined ? 'closed' : 'open');
      if (response === undefined) return;
      failures = 0;
      for await (const { id, data } of eventsIn(response)) {
        last = id;
        listener(batchOf(data));
      }
      // A back office in a page sends the missed events only.
      if (!signal.aborted) timer = setTimeout(restart, pollInterval);
    } catch (error) {
      if (signal.aborted) return;
      const [connection, reason] = lossOf(error);
      onConnection?.(connection, reason);
      if (connection === 'closed') return;
      timer = setTimeout(restart, retries[Math.min(failures++, retries.length - 1)]);
    }
  }

  function restart(): void {
    stop();
    if (document.hidden) return;
    abort = new AbortController();
    void connect(abort);
  }

  function stop(): void {
    clearTimeout(timer);
    abort.abort();
  }

  document.addEventListener('visibilitychange', restart);
  restart();
  return () => {
    document.removeEventListener('visibilitychange', restart);
    stop();
  };
}

/** Returns whether the page connects again after an error, with the message for a person. */
function lossOf(error: unknown): readonly [connection: Connection, reason: string | undefined] {
  if (error instanceof RangeError)
    return ['closed', `No more events: ${error.message}. Reload the page.`];
  // A network error of the browser says nothing to a person.
  return ['waiting', error instanceof Refused ? error.message : undefined];
}

/** Whether the server has removed the session. Any request but this one would begin a new one. */
async function hasEnded(root: string, signal: AbortSignal): Promise<boolean> {
  const response = await fetch(`${root}/_backlot/health`, { signal });
  return valueAt(await response.json(), ['session', 'ended']) !== undefined;
}

type ByteStream = ReadableStream<Uint8Array<ArrayBuffer>>;

/** @returns undefined if this client may not receive events */
async function openStream(
  root: string,
  last: number | undefined,
  signal: AbortSignal,
): Promise<ByteStream | undefined> {
  const path = '/_backlot/events';
  const response = await fetch(`${root}${path}`, {
    signal,
    headers: {
      ...tokenHeader(`GET ${path}`),
      ...(last !== undefined && { 'last-event-id': String(last) }),
    },
  });
  if (response.ok && response.body !== null) return response.body;
  if (response.status === 401 || response.status === 403) {
    await response.body?.cancel();
    return undefined;
  }
  const body: unknown = await response.json().catch(() => undefined);
  throw new Refused(messageOf({ status: response.status, body }));
}

/** The server responds, but sends no events now: a demo may be full. */
class Refused extends Error {}
