import type { ApiRequest, ApiResponse, StreamedEvent } from './message.ts';

/** The media type of server-sent events. */
export const eventStream = 'text/event-stream; charset=utf-8';

/** Maximum number of entries in a batch. Others are only counted. */
export const maxBatch = 16;

/**
 * Returns a batch of entries as one server-sent event: `{"entries":[…],"more":480}`. Its id is that of the last entry.
 *
 * @param count number of entries, those that the batch leaves out included
 */
export function sentEvents(entries: readonly StreamedEvent[], count: number): string | undefined {
  const last = entries.at(-1);
  if (last === undefined) return undefined;
  const more = count - entries.length;
  const data = JSON.stringify({ entries, ...(more > 0 && { more }) });
  return `id: ${last.id}\nevent: entries\ndata: ${data}\n\n`;
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
