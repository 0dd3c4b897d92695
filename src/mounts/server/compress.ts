import type { ServerResponse } from 'node:http';
import { LruCache } from '../../engine/lib/maps.ts';
import type { ApiResponse } from '../../engine/rest/message.ts';
import { noCache } from '../../engine/dashboard/dashboard.ts';
import { parseTarget } from '../../engine/rest/serve.ts';
import { endUnlessAllRead } from './unread.ts';

/** Below this number of characters, a response fits into few packets anyway. */
export const minCompressed = 4096;

/** A document that never changes, in both forms. */
interface Document {
  readonly tag: string;
  readonly zipped: Buffer;
}

const documents = new LruCache<string, Document>({ budget: 16 });
const documentPath =
  /\/_backlot\/((studio|banner|studio\/\w+)\.js|(studio|inter|page)\.css|openapi\.json|trace\.html)\/?$/;

/**
 * Sends a large response of the control API with an `ETag`, compressed if the client accepts gzip, or the status 304 if the
 * client has it. Responses of the store API stay as they are, because the original server's are not compressed either.
 *
 * @param headers all headers of the response but those of its length
 * @returns false if the response is to be sent as it is
 */
export function sendCompressed(
  response: ServerResponse,
  { status }: ApiResponse,
  text: string,
  headers: Readonly<Record<string, string>>,
): boolean {
  if (status !== 200) return false;
  const { method, headers: asked, url = '' } = response.req;
  if ((method !== 'GET' && method !== 'HEAD') || !url.includes('/_backlot/')) return false;
  const isDocument = documentPath.test(parseTarget(url).path);
  const known = isDocument ? (documents.get(text) ?? documentOf(text)) : undefined;
  const tag = known?.tag ?? tagOf(text);
  const { vary } = headers;
  const all = {
    ...noCache,
    ...headers,
    etag: tag,
    vary: vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`,
  };
  if (asked['if-none-match']?.includes(tag) === true) {
    response.writeHead(304, all).end();
    return true;
  }
  const accepted = asked['accept-encoding'] ?? '';
  const isZipped = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accepted);
  // A response to HEAD may leave out the length (RFC 9110, 8.6), which would take the work of the body.
  if (method === 'HEAD') {
    response.writeHead(200, { ...all, ...(isZipped && gzipped) }).end();
    return true;
  }
  const end = (body: Buffer, encoding?: object): void => {
    response.writeHead(200, { ...all, ...encoding, 'content-length': body.length }).end(body);
    if (response.writableLength > 0) endUnlessAllRead(response, body.length);
  };
  if (!isZipped) {
    end(Buffer.from(text));
    return true;
  }
  if (known !== undefined) end(known.zipped, gzipped);
  else {
    // The fastest level makes JSON a tenth already.
    const { gzip } = process.getBuiltinModule('node:zlib');
    gzip(text, { level: 1 }, (error, body) => {
      if (response.destroyed) return;
      if (error === null) end(body, gzipped);
      else response.req.socket.destroy(error);
    });
  }
  return true;
}

const gzipped = { 'content-encoding': 'gzip' };

function documentOf(text: string): Document {
  const { gzipSync } = process.getBuiltinModule('node:zlib');
  const document = { tag: tagOf(text), zipped: gzipSync(text) };
  documents.set(text, document);
  return document;
}

/** A weak one: the bytes depend on the encoding. */
function tagOf(text: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return `W/"${createHash('sha1').update(text).digest('base64url')}"`;
}
