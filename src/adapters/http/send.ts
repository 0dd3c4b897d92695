import type { ServerResponse } from 'node:http';
import { noSniff, type ApiAnswer } from '../../rest/message.ts';

/** How an answer goes out: with which headers beside its own. */
export interface ResponseContext {
  readonly headers: Readonly<Record<string, string>>;
}

/** The way of answers that need no headers beside their own. */
export const atRoot: ResponseContext = { headers: {} };

/** Sends an answer as late as it should be, unless the client has gone by then. */
export function send(response: ServerResponse, answer: ApiAnswer, way: ResponseContext): void {
  if (answer.delay === undefined) return sendNow(response, answer, way);
  const timer = setTimeout(() => sendLate(response, answer, way), answer.delay);
  response.once('close', () => clearTimeout(timer));
}

/** What is thrown in a timer nobody catches, and it would end the process. */
function sendLate(response: ServerResponse, answer: ApiAnswer, way: ResponseContext): void {
  try {
    sendNow(response, answer, way);
  } catch (error) {
    giveUp(response, error);
  }
}

/** Ends the connection of an answer that cannot be sent. Who asked is told nothing of why. */
export function giveUp(response: ServerResponse, error: unknown): void {
  // oxlint-disable-next-line no-console -- the log of last resort
  console.error('Failed to send an answer:', error);
  drop(response);
}

/** Ends the connection at once. An answer that still waits behind another one has no socket of its own yet. */
export function drop(response: ServerResponse): void {
  response.req.socket.destroy();
}

/** The length is told, so that the body need not go out in chunks. */
function sendNow(response: ServerResponse, answer: ApiAnswer, { headers }: ResponseContext): void {
  const { status, connection } = answer;
  if (connection === 'drop') {
    drop(response);
    return;
  }
  const { body: text = answer.bodyOfGet } = answer;
  if (text === undefined) {
    response.writeHead(status, { ...answer.headers, ...headers, ...noSniff }).end();
    return;
  }
  const body = text.length < worthKeeping ? text : bytesOf(answer, text);
  const length = String(Buffer.byteLength(body));
  response.writeHead(status, {
    ...answer.headers,
    ...headers,
    ...noSniff,
    'content-length': length,
  });
  // Node sends no body in answer to a HEAD.
  response.end(body);
}

/** Short texts go out with their headers in one piece, and sooner than bytes would. */
const worthKeeping = 8192;

const known = new WeakMap<ApiAnswer, Buffer>();

/** What is read again and again is made bytes of once. */
function bytesOf(answer: ApiAnswer, text: string): Buffer {
  const bytes = known.get(answer) ?? Buffer.from(text);
  known.set(answer, bytes);
  return bytes;
}
