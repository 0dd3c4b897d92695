import { maxBatch, newestOf, sentEvents } from '../../engine/rest/events.ts';
import type { EventStream, StreamedEvent } from '../../engine/rest/message.ts';

/** Milliseconds between two batches, and between two signs of life, which proxies and idle timeouts require. */
const [batchInterval, beatInterval] = [250, 4000];

/** Milliseconds after which a client is disconnected that reads nothing of what was sent to it. */
export const maxUnreadTime = 12_000;

/** The number of signs of life that a client may miss in a row, because it had not read what was sent before. */
const maxMissed = maxUnreadTime / beatInterval;

/** The target of events. */
export interface EventSink {
  /** @param written is called when the text has left the process, so that another one can follow */
  write(text: string, written: () => void): void;
  /** Ends the response. */
  end(): void;
  /** Disconnects a client that reads nothing. */
  destroy(): void;
}

/**
 * Writes the body of a response, then events in batches. A client that reads more slowly than events occur gets larger
 * counts: until a batch has left the process, the next one only counts.
 *
 * @returns the function to call when the client has disconnected
 */
export function writeEvents(body: string, events: EventStream, sink: EventSink): () => void {
  let batch: StreamedEvent[] = [];
  let count = 0;
  let newest = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isUnread = false;
  let isEnded = false;
  let missed = 0;
  const write = (text: string): void => {
    isUnread = true;
    sink.write(text, () => {
      isUnread = false;
      missed = 0;
      if (count > 0 && !isEnded) timer ??= setTimeout(send, 0);
    });
  };
  const send = (): void => {
    timer = undefined;
    const text = isUnread ? undefined : sentEvents(batch, count, newest);
    if (text === undefined) return;
    newest = newestOf(batch, newest);
    batch = [];
    count = 0;
    write(text);
    timer = setTimeout(send, batchInterval);
  };
  write(body);
  const stop = events.subscribe((event) => {
    count += 1;
    batch.push(event);
    if (batch.length > maxBatch) batch.shift();
    if (!isUnread) timer ??= setTimeout(send, 0);
  });
  const beat = setInterval(() => {
    if (!isUnread) write(':\n\n');
    else if (++missed === maxMissed) sink.destroy();
  }, beatInterval);
  const end = (): void => sink.end();
  events.signal?.addEventListener('abort', end);
  return () => {
    isEnded = true;
    events.signal?.removeEventListener('abort', end);
    stop();
    clearTimeout(timer);
    clearInterval(beat);
  };
}
