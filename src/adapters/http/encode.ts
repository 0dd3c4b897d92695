import { ServerResponse } from 'node:http';
import { JsonResponse, type TextParts } from '../../rest/json.ts';
import type { ApiResponse } from '../../rest/message.ts';

/**
 * Returns the body of a response in UTF-8. The bytes of a response that is sent again, because it is cached, are kept as
 * long as the response.
 *
 * @param response where the bytes will be sent at once
 * @param text the body
 */
export function bytesOf(response: ServerResponse, answer: ApiResponse, text: string): Buffer {
  const known = bytesByAnswer.get(answer);
  if (known instanceof Buffer) return known;
  const size = encode(JsonResponse.partsOf(answer, text));
  if (known === undefined) {
    bytesByAnswer.set(answer, sentOnce);
    return size * 4 <= pool.length ? fromPool(size) : lend(response, size);
  }
  const bytes = copyOf(size);
  bytesByAnswer.set(answer, bytes);
  return bytes;
}

/** The bytes of responses that were sent more than once. */
const bytesByAnswer = new WeakMap<ApiResponse, Buffer | typeof sentOnce>();
const sentOnce = Symbol('sent once');

/** Enough for a page, whose size is not known before it is written. */
const scratchSize = 524_288;

/** Receives the bytes of a response before their number is known. */
let scratch: Buffer = Buffer.allocUnsafeSlow(scratchSize);

/** Writes parts into the scratch buffer. Returns their size in bytes. */
function encode(parts: TextParts): number {
  let limit = 0;
  for (const part of parts) limit += typeof part === 'string' ? part.length * 3 : part.bytes.length;
  if (limit > scratch.length) scratch = Buffer.allocUnsafeSlow(limit);
  let at = 0;
  for (const part of parts) {
    if (typeof part === 'string') at += scratch.write(part, at);
    else {
      scratch.set(part.bytes, at);
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
let pool = Buffer.allocUnsafeSlow(65_536);
let used = 0;

function fromPool(size: number): Buffer {
  if (used + size > pool.length) {
    pool = Buffer.allocUnsafeSlow(pool.length);
    used = 0;
  }
  const bytes = pool.subarray(used, used + size);
  bytes.set(scratch.subarray(0, size));
  used += size;
  return bytes;
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
