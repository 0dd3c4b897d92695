import type { ApiRequest, ApiResponse, StreamedEvent } from './message.ts';

/** The media type of server-sent events. */
export const eventStream = 'text/event-stream; charset=utf-8';

/**
 * The headers of a stream of events. Without the directive `no-transform` and the last header, nginx (https://nginx.org/en/docs/http/ngx_http_proxy_module.html)
 * and middleware that compresses responses hold it back until their buffer is full.
 */
export const eventStreamHeaders = {
  'content-type': eventStream,
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

/** Maximum number of entries in a batch. Others are only counted. */
export const maxBatch = 16;

/**
 * Returns a batch of entries as one server-sent event: `{"entries":[…],"more":480}`. Its id is that of the newest entry: in
 * this batch, or before it, as entries are sent again when their state changes.
 *
 * @param count number of entries, those that the batch leaves out included
 * @param newest id of the newest entry before this batch
 */
export function sentEvents(
  entries: readonly StreamedEvent[],
  count: number,
  newest: number,
): string | undefined {
  if (entries.length === 0) return undefined;
  const last = newestOf(entries, newest);
  const more = count - entries.length;
  const data = JSON.stringify({ entries, ...(more > 0 && { more }) });
  return `id: ${last}\nevent: entries\ndata: ${data}\n\n`;
}

/** Returns the highest id. */
export function newestOf(entries: readonly StreamedEvent[], newest: number): number {
  return entries.reduce((last, { id }) => Math.max(last, id), newest);
}

/** Whether a response is a stream of events, and not the response of a HEAD request. */
export function isEventStream({ headers, bodyOfGet }: ApiResponse): boolean {
  return headers['content-type'] === eventStream && bodyOfGet === undefined;
}

/** Returns undefined for a header `Last-Event-ID` that is missing or not an id. */
export function lastEventIdOf({ headers }: Pick<ApiRequest, 'headers'>): number | undefined {
  const text = headers['last-event-id'] ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
