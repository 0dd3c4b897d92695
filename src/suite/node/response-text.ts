import { brotliDecompressSync, unzipSync } from 'node:zlib';

/** Collects the bytes of a response with text. */
export interface TextCollector {
  readonly add: (chunk: Uint8Array) => void;
  /** Returns the text. */
  readonly end: () => string;
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  identity: (bytes) => bytes,
  gzip: unzipSync,
  deflate: unzipSync,
  br: brotliDecompressSync,
};

/** The headers of a response that do not fit another text. */
export const headersOfBytes: readonly string[] = ['content-encoding', 'content-length'];

/**
 * Returns what collects a response; undefined for bytes and events, which are left alone, and for an unknown encoding.
 *
 * @param header returns the value of a header
 */
export function textCollector(
  header: (name: string) => string | undefined,
): TextCollector | undefined {
  const decode = decoders[header('content-encoding') ?? 'identity'];
  const isText = /json|^text\/(?!event-stream)/.test(header('content-type') ?? 'text/plain');
  if (!isText || decode === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  return {
    add: (chunk) => void chunks.push(chunk),
    end: () => (chunks.length === 0 ? '' : decode(Buffer.concat(chunks)).toString()),
  };
}
