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
  if (sent === 'once') return (encoded.sent = copyOf(encode(parts, scratchFor(limit))));
  encoded.sent = 'once';
  return limit * 4 <= poolSize
    ? intoPool(parts, limit)
    : lend(response, encode(parts, scratchFor(limit)));
}

/** Enough for a page, whose size is not known before it is written. */
const scratchSize = 524_288;

/** Receives the bytes of a response before their number is known. */
let scratch: Buffer = Buffer.allocUnsafeSlow(scratchSize);

function scratchFor(limit: number): Buffer {
  if (limit > scratch.length) scratch = Buffer.allocUnsafeSlow(limit);
  return scratch;
}

/** Returns the maximum size of a text in bytes: a UTF-16 code unit has at most three in UTF-8. */
function limitOf(parts: TextParts): number {
  let limit = 0;
  for (const part of parts) limit += typeof part === 'string' ? part.length * 3 : part.bytes.length;
  return limit;
}

/** Writes parts into a buffer, from a position on. Returns the position after them. */
function encode(parts: TextParts, target: Buffer, start = 0): number {
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

function copyOf(size: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size);
  bytes.set(scratch.subarray(0, size));
  return bytes;
}

/** Short-lived bytes share memory, because an allocation of its own takes longer than to write a response. */
const poolSize = 65_536;
let pool = Buffer.allocUnsafeSlow(poolSize);
let used = 0;

function intoPool(parts: TextParts, limit: number): Buffer {
  if (used + limit > poolSize) {
    pool = Buffer.allocUnsafeSlow(poolSize);
    used = 0;
  }
  const start = used;
  used = encode(parts, pool, start);
  return pool.subarray(start, used);
}

/** Scratch buffers of responses that were sent. */
const spares: Buffer[] = [];
let lent = 0;
/** Slow clients take long to receive a response. */
const maxLent = 8;

/**
 * Returns the scratch buffer itself, which is used again after the response was sent: a new buffer for each page would
 * have V8 collect garbage often.
 */
function lend(response: ServerResponse, size: number): Buffer {
  if (lent === maxLent || response.closed || !isDirect(response)) return copyOf(size);
  const buffer = scratch;
  scratch = spares.pop() ?? Buffer.allocUnsafeSlow(scratchSize);
  lent += 1;
  response.once('close', () => {
    lent -= 1;
    if (response.writableFinished && buffer.length === scratchSize) spares.push(buffer);
  });
  return buffer.subarray(0, size);
}

/** Whether the bytes go to the socket and to nobody else: a middleware that keeps them would see them change. */
function isDirect(response: ServerResponse): boolean {
  const isPlain = Object.getPrototypeOf(response) === ServerResponse.prototype;
  return isPlain && !Object.hasOwn(response, 'end') && !Object.hasOwn(response, 'write');
}
