import type { SummaryView as Summary } from '../engine/office/history-view.ts';

/** An entry of the history in a list. */
export type { SummaryView as Summary } from '../engine/office/history-view.ts';
export type { RewindEffects, TimelineView as Timeline } from '../engine/office/history-api.ts';
export type { IdRanges } from '../engine/office/timeline.ts';

/** The response to a call. */
export interface Reply<Body> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or text, or undefined if it is empty. */
  readonly body: Body;
  /** The time from the call to the end of the response, in milliseconds. */
  readonly ms: number;
}

/** New entries of the history; `more` of them were left out. */
export interface Batch {
  readonly entries: readonly Summary[];
  readonly more?: number;
}

/** Whether events arrive: `waiting` before the first and after a lost connection. */
export type Connection = 'open' | 'waiting' | 'closed';

/** The source of a studio: a server, or a back office in the same page. */
export interface Source {
  /** The URL in front of `/_backlot/` and `/api/`. */
  readonly root: string;
  /** Whether others can open that URL. */
  readonly isServer: boolean;
  /** Sends a request: `GET /_backlot/tables/orders?limit=50`, `PUT /api/checkouts/3`. Rejects if there is no response. */
  call<Body>(
    line: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply<Body>>;
  /**
   * Receives new entries of the history after the id `since`, or from now on.
   *
   * @returns the function that ends it
   */
  events(
    since: number | undefined,
    listener: (batch: Batch) => void,
    onConnection?: (connection: Connection, reason?: string) => void,
  ): () => void;
}

/** The parts of a back office that a source in the same page uses. */
export interface OfficeInPage {
  fetch(input: string, init?: RequestInit): Promise<Response>;
  on(listener: (entry: Summary) => void): () => void;
}

/** Stands for the back office in a page, which has no URL. */
const localhost = 'http://localhost';

/** Returns a source that calls a back office without a network. */
export function officeSource(office: OfficeInPage): Source {
  return {
    root: localhost,
    isServer: false,
    call: (line, body, headers) =>
      send((url, init) => office.fetch(url, init), localhost, line, body, headers),
    events(since, listener, onConnection) {
      let waiting: Summary[] = [];
      let timer: ReturnType<typeof setTimeout> | undefined;
      const flush = () => {
        const entries = waiting;
        waiting = [];
        timer = undefined;
        const shown = entries.slice(-16);
        listener({ entries: shown, more: entries.length - shown.length });
      };
      const stop = office.on((entry) => {
        waiting.push(entry);
        timer ??= setTimeout(flush, 250);
      });
      const abort = new AbortController();
      if (since !== undefined) void sendMissed(office, since, listener, abort.signal);
      onConnection?.('open');
      return () => {
        abort.abort();
        stop();
        clearTimeout(timer);
      };
    },
  };
}

/** Passes on what was recorded after an entry, and before the first event. */
async function sendMissed(
  office: OfficeInPage,
  since: number,
  listener: (batch: Batch) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await office.fetch(`${localhost}/_backlot/events?since=${since}`);
  const [, data] = /^data: (.*)$/m.exec(await response.text()) ?? [];
  if (data !== undefined && !signal.aborted) listener(batchOf(data));
}

/** Parses the data of an event, which the server has checked. */
export function batchOf(data: string): Batch {
  return JSON.parse(data) as Batch;
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Sends the request of a line and reads its response. */
export async function send<Body>(
  fetch: Fetch,
  root: string,
  line: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply<Body>> {
  const space = line.indexOf(' ');
  const isText = typeof body === 'string';
  const start = performance.now();
  const response = await fetch(`${root}${line.slice(space + 1)}`, {
    method: line.slice(0, space),
    headers: {
      ...(body !== undefined && !isText && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const ms = performance.now() - start;
  const replied = Object.fromEntries(response.headers);
  return { status: response.status, headers: replied, body: parse(text) as Body, ms };
}

function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
