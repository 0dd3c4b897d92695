/**
 * Reads a decompressed body as text, and cancels one that is too long.
 *
 * @param maxBytes maximum length after decompression
 * @param signal ends the wait for the next part, even if the sender of the request ignores it
 * @returns undefined if the body is longer than the maximum
 */
export async function readText(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string | undefined> {
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
      if (size > maxBytes) return undefined;
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
