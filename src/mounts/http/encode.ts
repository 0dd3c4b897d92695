import { ServerResponse } from 'node:http';
import { JsonResponse } from '../../engine/rest/json.ts';
import type { ApiResponse } from '../../engine/rest/message.ts';
import type { TextParts } from '../../engine/rest/text-parts.ts';

/**
 * Returns the body of a response in UTF-8. The bytes of a response that is sent again, because it is cached, are kept as
 * long as the response.
 *
 * @param response where the bytes will be sent at once
 * @param text the body
 */
export function bytesOf(response: ServerResponse, answer: ApiResponse, text: string): Uint8Array {
  const encoded = JsonResponse.encoded(answer, text);
  const { parts, sent } = encoded;
  if (typeof sent === 'object') return sent;
  const limit = limitOf(parts);
  if (sent === 'once') return (encoded.sent = scratch.copyOf(scratch.write(parts, limit)));
  encoded.sent = 'once';
  if (limit * 4 <= poolSize) return pool.write(parts, limit);
  return scratch.lend(response, scratch.write(parts, limit));
}

/** Returns the maximum size of a text in bytes: a UTF-16 code unit has at most three in UTF-8. */
function limitOf(parts: TextParts): number {
  let limit = 0;
  for (const part of parts) limit += typeof part === 'string' ? part.length * 3 : part.bytes.length;
  return limit;
}

/** Writes parts into a buffer, from a position on. Returns the position after them. */
function encode(parts: TextParts, target: Buffer, start: number): number {
  let at = start;
  for (const part of parts) {
    if (typeof part === 'string') at += target.write(part, at);
    else {
      target.set(part.bytes, at);
      at += part.bytes.length;
    }
  }
  return at;
}

/** Enough for a page, whose size is not known before it is written. */
const scratchSize = 524_288;
/** Maximum number of scratch buffers on the way: slow clients take long to receive a response. */
const maxLent = 8;

/** Receives the bytes of a response before their number is known. */
class Scratch {
  #buffer: Buffer = Buffer.allocUnsafeSlow(scratchSize);
  /** Buffers of responses that were sent. */
  readonly #spares: Buffer[] = [];
  #lent = 0;

  /** Writes parts of at most `limit` bytes. Returns their size. */
  write(parts: TextParts, limit: number): number {
    if (limit > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(limit);
    return encode(parts, this.#buffer, 0);
  }

  copyOf(size: number): Buffer {
    const bytes = Buffer.allocUnsafeSlow(size);
    bytes.set(this.#buffer.subarray(0, size));
    return bytes;
  }

  /**
   * Returns the buffer itself, which is used again after the response was sent: a new buffer for each page would have V8
   * collect garbage often.
   */
  lend(response: ServerResponse, size: number): Buffer {
    if (this.#lent === maxLent || response.closed || !isDirect(response)) return this.copyOf(size);
    const buffer = this.#buffer;
    this.#buffer = this.#spares.pop() ?? Buffer.allocUnsafeSlow(scratchSize);
    this.#lent += 1;
    response.once('close', () => {
      this.#lent -= 1;
      if (response.writableFinished && buffer.length === scratchSize) this.#spares.push(buffer);
    });
    return buffer.subarray(0, size);
  }
}

const poolSize = 65_536;

/** Memory of short-lived bytes, because an allocation of its own takes longer than to write a response. */
class Pool {
  #buffer = Buffer.allocUnsafeSlow(poolSize);
  #used = 0;

  /** Returns the bytes of parts of at most `limit` bytes. */
  write(parts: TextParts, limit: number): Buffer {
    if (this.#used + limit > poolSize) {
      this.#buffer = Buffer.allocUnsafeSlow(poolSize);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used = encode(parts, this.#buffer, start);
    return this.#buffer.subarray(start, this.#used);
  }
}

const scratch = new Scratch();
const pool = new Pool();

/** Whether the bytes go to the socket and to nobody else: a middleware that keeps them would see them change. */
function isDirect(response: ServerResponse): boolean {
  const isPlain = Object.getPrototypeOf(response) === ServerResponse.prototype;
  return isPlain && !Object.hasOwn(response, 'end') && !Object.hasOwn(response, 'write');
}
