import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import {
  assertRead,
  assertSize,
  parseForeignJson,
  type JsonLimits,
} from '../../engine/lib/json-limits.ts';

/** The bytes that are read at once. */
const maxChunk = 1_048_576;

/**
 * Reads a text file that others have written, and no more of it than a limit: a pipe does not tell its size.
 *
 * @throws ForeignTextError for a larger one, and errors of the system
 */
export function readForeignText(file: string, maxBytes: number): string {
  const descriptor = openSync(file, 'r');
  try {
    assertSize('it', fstatSync(descriptor).size, maxBytes);
    const chunks: Buffer[] = [];
    for (let size = 0; ;) {
      const chunk = Buffer.allocUnsafe(maxChunk);
      const count = readSync(descriptor, chunk);
      if (count === 0) return Buffer.concat(chunks).toString();
      size += count;
      assertRead('it', size, maxBytes);
      chunks.push(chunk.subarray(0, count));
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Reads a JSON file that others have written. @throws ForeignTextError as `parseForeignJson`, and errors of the system */
export function readForeignJson(file: string, limits: JsonLimits): unknown {
  return parseForeignJson(readForeignText(file, limits.bytes), 'it', limits);
}
