import type { ServerResponse } from 'node:http';
import { maxBatch, sentEvents } from '../../rest/events.ts';
import {
  noSniff,
  type ApiResponse,
  type EventStream,
  type StreamedEvent,
} from '../../rest/message.ts';

/** Milliseconds between two batches, and between two signs of life, which proxies and idle timeouts require. */
const [batchInterval, beatInterval] = [250, 4000];

/** Sends the head and the body of a response, then events in batches until the client disconnects. */
export function sendEventStream(
  response: ServerResponse,
  { status, headers, body = '' }: ApiResponse,
  events: EventStream,
): void {
  response.writeHead(status, { ...headers, ...noSniff });
  response.write(body);
  let waiting: StreamedEvent[] = [];
  let count = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const send = (): void => {
    timer = undefined;
    const text = sentEvents(waiting, count);
    if (text === undefined) return;
    waiting = [];
    count = 0;
    response.write(text);
    timer = setTimeout(send, batchInterval);
  };
  const stop = events.subscribe((event) => {
    count += 1;
    waiting.push(event);
    if (waiting.length > maxBatch) waiting.shift();
    timer ??= setTimeout(send, 0);
  });
  const beat = setInterval(() => response.write(':\n\n'), beatInterval);
  response.once('close', () => {
    stop();
    clearTimeout(timer);
    clearInterval(beat);
  });
}
