import type { ServerResponse } from 'node:http';
import { JsonResponse, type TextParts } from '../../rest/json-text.ts';
import { noSniff, type ApiResponse } from '../../rest/message.ts';

/** The headers that the adapter adds to a response. */
export interface ResponseContext {
  readonly headers: Readonly<Record<string, string>>;
}

/** For responses that need no additional headers. */
export const noHeaders: ResponseContext = { headers: {} };

/** Sends a response with its `Content-Length`, so that the body is not sent in chunks. Ignores the delay. */
export function send(
  response: ServerResponse,
  answer: ApiResponse,
  { headers }: ResponseContext,
): void {
  const { status, connection } = answer;
  if (connection === 'drop') {
    closeConnection(response);
    return;
  }
  const { body: text = answer.bodyOfGet } = answer;
  if (text === undefined) {
    response.writeHead(status, { ...answer.headers, ...headers, ...noSniff }).end();
    return;
  }
  const body = text.length < minCachedLength ? text : bytesOf(answer, text);
  const length = String(Buffer.byteLength(body));
  response.writeHead(status, {
    ...answer.headers,
    ...headers,
    ...noSniff,
    'content-length': length,
  });
  // Node omits the body of a response to HEAD.
  response.end(body);
}

/** Sends a response after a delay in milliseconds, unless the client has disconnected by then. */
export function sendDelayed(
  response: ServerResponse,
  answer: ApiResponse,
  context: ResponseContext,
  delay: number,
): void {
  const timer = setTimeout(() => {
    // An error that a timer throws would end the process.
    try {
      send(response, answer, context);
    } catch (error) {
      closeAfterError(response, error);
    }
  }, delay);
  response.once('close', () => clearTimeout(timer));
}

/** Closes the connection of a response that cannot be sent. The client does not receive the reason. */
export function closeAfterError(response: ServerResponse, error: unknown): void {
  // oxlint-disable-next-line no-console -- the log of last resort
  console.error('Failed to send a response:', error);
  closeConnection(response);
}

/** Closes the connection. The socket is that of the request, because a pipelined response has none yet. */
export function closeConnection(response: ServerResponse): void {
  response.req.socket.destroy();
}

/** Node sends a short text in one piece with the headers, which is faster than sending bytes. */
const minCachedLength = 8192;

const bytesByAnswer = new WeakMap<ApiResponse, Buffer>();

/** Memoizes the bytes of cached responses. */
function bytesOf(answer: ApiResponse, text: string): Buffer {
  const bytes = bytesByAnswer.get(answer) ?? encode(JsonResponse.partsOf(answer, text));
  bytesByAnswer.set(answer, bytes);
  return bytes;
}

function encode(parts: TextParts): Buffer {
  let size = 0;
  for (const part of parts) {
    size += typeof part === 'string' ? Buffer.byteLength(part) : part.bytes.length;
  }
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const part of parts) {
    if (typeof part === 'string') at += bytes.write(part, at);
    else {
      bytes.set(part.bytes, at);
      at += part.bytes.length;
    }
  }
  return bytes;
}
