import { assertRead, parseForeignJson, type JsonLimits } from './json-limits.ts';

/** A response that others have sent. */
export interface ForeignResponse {
  readonly response: Response;
  /** Begins messages: `The body`. */
  readonly name: string;
  /** Ends the wait for the next part, even if the sender of the request ignores it. */
  readonly signal?: AbortSignal;
}

/** Reads a body of JSON. @throws ForeignTextError as `parseForeignJson`, and errors of the connection */
export async function readJson(foreign: ForeignResponse, limits: JsonLimits): Promise<unknown> {
  return parseForeignJson(await readText(foreign, limits.bytes), foreign.name, limits);
}

/**
 * Reads a decompressed body as text, and cancels one that is too long.
 *
 * @param maxBytes maximum length after decompression
 * @throws ForeignTextError for a longer one, and errors of the connection
 */
export async function readText(
  { response, name, signal = new AbortController().signal }: ForeignResponse,
  maxBytes: number,
): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let size = 0;
  try {
    for (;;) {
      // One after the other, because a stream has one reader.
      const { done, value } = await within(signal, reader.read());
      if (done) return parts.join('') + decoder.decode();
      size += value.byteLength;
      assertRead(name, size, maxBytes);
      parts.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    // An open connection would keep the process alive.
    reader.cancel().catch(() => undefined);
  }
}

/** Rejects when a signal aborts, even if the work ignores the signal. */
export function within<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
