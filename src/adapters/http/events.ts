import type { ServerResponse } from 'node:http';
import { maxBatch, sentEvents } from '../../rest/events.ts';
import {
  noSniff,
  type ApiResponse,
  type EventStream,
  type StreamedEvent,
} from '../../rest/message.ts';
import { maxUnreadTime } from './unread.ts';

/** Milliseconds between two batches, and between two signs of life, which proxies and idle timeouts require. */
const [batchInterval, beatInterval] = [250, 4000];

/** The number of signs of life that a client may miss in a row, because it had not read what was sent before. */
const maxMissed = maxUnreadTime / beatInterval;

/**
 * Sends the head and the body of a response, then events in batches until the client disconnects. A client that reads
 * more slowly than events occur gets larger counts: until a batch has left the process, the next one only counts.
 */
export function sendEventStream(
  response: ServerResponse,
  { status, headers, body = '' }: ApiResponse,
  events: EventStream,
): void {
  let waiting: StreamedEvent[] = [];
  let count = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isUnread = false;
  let missed = 0;
  const write = (text: string): void => {
    isUnread = true;
    response.write(text, () => {
      isUnread = false;
      missed = 0;
      if (count > 0 && !response.destroyed) timer ??= setTimeout(send, 0);
    });
  };
  const send = (): void => {
    timer = undefined;
    const text = isUnread ? undefined : sentEvents(waiting, count);
    if (text === undefined) return;
    waiting = [];
    count = 0;
    write(text);
    timer = setTimeout(send, batchInterval);
  };
  response.writeHead(status, { ...headers, ...noSniff });
  write(body);
  const stop = events.subscribe((event) => {
    count += 1;
    waiting.push(event);
    if (waiting.length > maxBatch) waiting.shift();
    if (!isUnread) timer ??= setTimeout(send, 0);
  });
  const beat = setInterval(() => {
    if (!isUnread) write(':\n\n');
    else if (++missed === maxMissed) response.destroy();
  }, beatInterval);
  const end = (): void => void response.end();
  events.signal?.addEventListener('abort', end);
  response.once('close', () => {
    events.signal?.removeEventListener('abort', end);
    stop();
    clearTimeout(timer);
    clearInterval(beat);
  });
}
