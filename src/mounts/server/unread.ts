import type { ServerResponse } from 'node:http';
import { maxUnreadTime } from './event-batches.ts';

/** Maximum bytes of the responses that wait for a client which sends its requests without reading (pipelining). */
const maxUnreadBytes = 1_048_576;

/** The bytes of the responses that wait, by connection. */
const unreadBytes = new WeakMap<object, number>();

/** Disconnects a client that does not read what is left of a response, which the process keeps until then. */
export function endUnlessRead(response: ServerResponse): void {
  // Node.js closes the connection if nothing was sent meanwhile, at times only when that time has passed twice.
  response.setTimeout(maxUnreadTime / 2);
  const read = (): void => void response.off('drain', read).off('finish', read).setTimeout(0);
  response.once('drain', read).once('finish', read);
}

/** Does the same for a whole response, and at once if others of that connection wait that are too large together. */
export function endUnlessAllRead(response: ServerResponse, length: number): void {
  const { socket } = response.req;
  const before = unreadBytes.get(socket) ?? 0;
  if (before > 0 && before + length > maxUnreadBytes) return void socket.destroy();
  unreadBytes.set(socket, before + length);
  response.once('finish', () => unreadBytes.set(socket, (unreadBytes.get(socket) ?? 0) - length));
  endUnlessRead(response);
}
