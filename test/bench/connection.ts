import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Sent, Visit } from './workloads.ts';

/** A response as it was received. */
export interface Received {
  readonly status: number;
  /** The lines before the body, from the status on. */
  readonly head: string;
  readonly body: Buffer;
}

/**
 * Sends visits over ten connections that are kept alive: each takes the next visit and sends its requests one after
 * another. The client does as little as possible, so that it does not hold up the server. It never sleeps: waking it
 * costs a server about 10 µs of processor time, and only the slower of two servers would find it asleep.
 *
 * @param receive called with each request and its response
 * @throws Error for a response that is not 2xx
 */
export async function sendVisits(
  url: string,
  visits: readonly Visit[],
  receive: (sent: Sent, received: Received) => void,
): Promise<void> {
  const waiting = visits.values();
  let isDone = false;
  const stayAwake = (): void => {
    if (!isDone) setImmediate(stayAwake);
  };
  stayAwake();
  const work = async (): Promise<void> => {
    const connection = await openConnection(url);
    for (const visit of waiting) {
      for (const sent of visit) receive(sent, await connection.send(sent));
    }
    connection.close();
  };
  try {
    await Promise.all(Array.from({ length: 10 }, work));
  } finally {
    isDone = true;
  }
}

/** A connection over which one request after another is sent. */
export interface Connection {
  /** @throws Error for a response that is not 2xx, and if the server closes the connection */
  send(request: Sent): Promise<Received>;
  close(): void;
}

export async function openConnection(url: string): Promise<Connection> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  await once(socket, 'connect');
  return {
    send: async (sent) => {
      const received = readResponse(socket);
      socket.write(textOf(sent, host));
      const response = await received;
      const { status, body } = response;
      if (status >= 200 && status < 300) return response;
      throw new Error(`${sent.method} ${sent.path}: ${status} ${body.toString()}`);
    },
    close: () => socket.destroy(),
  };
}

function textOf({ method, path, body }: Sent, host: string): string {
  const head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\naccept: application/json\r\n`;
  if (body === undefined) return `${head}\r\n`;
  const length = Buffer.byteLength(body);
  return `${head}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`;
}

/** Reads one response. Its body has a `Content-Length` or is empty. */
function readResponse(socket: Socket): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>();
  const chunks: Buffer[] = [];
  let size = 0;
  let expected: Expected | undefined;
  const read = (chunk: Buffer): void => {
    chunks.push(chunk);
    size += chunk.length;
    expected ??= parseHead(chunks);
    if (expected === undefined || size < expected.size) return;
    socket.off('data', read).off('close', fail);
    const { status, head, start } = expected;
    resolve({ status, head, body: Buffer.concat(chunks).subarray(start) });
  };
  const fail = (): void => reject(new Error('The server closed the connection'));
  socket.on('data', read).once('close', fail);
  return promise;
}

interface Expected extends Pick<Received, 'status' | 'head'> {
  /** Where the body starts, in bytes. */
  readonly start: number;
  /** Bytes of head and body. */
  readonly size: number;
}

function parseHead(chunks: readonly Buffer[]): Expected | undefined {
  const bytes = Buffer.concat(chunks);
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  const start = end + 4;
  return { status: Number(head.slice(9, 12)), head, start, size: start + length };
}
