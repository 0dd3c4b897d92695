import type { ApiResponse } from '../../engine/rest/message.ts';

/** The bodies in UTF-8 of responses that were sent before, because they are cached; `undefined` if they were sent once. */
const sent = new WeakMap<ApiResponse, Uint8Array | undefined>();

/** Returns the body of a response in UTF-8. The bytes of one that is sent again are kept as long as the response. */
export function bytesOf(answer: ApiResponse, text: string): Uint8Array {
  const known = sent.get(answer);
  if (known !== undefined) return known;
  const bytes = Buffer.from(text);
  sent.set(answer, sent.has(answer) ? bytes : undefined);
  return bytes;
}
