import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import type { ReceivedResponse, SentRequest } from '../../engine/definition/drift.ts';
import { jsonExcess } from '../../engine/lib/json-limits.ts';
import { parseJson } from '../../engine/lib/json-value.ts';
import type { Recording } from './har-file.ts';

/** A request and its response, as they were recorded. */
export interface RecordedExchange {
  /** The position of the entry in its file, from 1. */
  readonly position: number;
  readonly url: URL;
  /** `url` is the whole URL. */
  readonly request: SentRequest;
  readonly response: ReceivedResponse;
  /** Whether the recording has the body of the response. */
  readonly hasBody: boolean;
  /** Whether the recording has the headers of the response. */
  readonly hasHeaders: boolean;
  /** When the response was received, in milliseconds by the clock of the client. */
  readonly end: number;
}

const Pairs = z.array(z.object({ name: z.string(), value: z.string() })).catch([]);
const Text = z.string().optional().catch(undefined);

const Entry = z.object({
  startedDateTime: z.string(),
  time: z.number().catch(0),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: Pairs,
    postData: z
      .object({ mimeType: Text, text: Text, _file: Text, params: Pairs })
      .optional()
      .catch(undefined),
  }),
  response: z.object({
    status: z.number(),
    headers: Pairs,
    content: z
      .object({
        text: Text,
        encoding: Text,
        mimeType: Text,
        _file: Text,
        size: z.number().catch(-1),
      })
      .catch({
        text: undefined,
        encoding: undefined,
        mimeType: undefined,
        _file: undefined,
        size: -1,
      }),
  }),
  cache: z.object({ afterRequest: z.unknown() }).catch({ afterRequest: undefined }),
  _fromCache: Text.nullable(),
  _resourceType: Text,
});
type Entry = z.output<typeof Entry>;

/**
 * Returns what an entry of an HTTP archive has recorded, or why it is not replayed, as the end of “12 entries: …”.
 *
 * @param recording bodies may be in files beside that of a recording
 */
export function exchangeOf(
  value: unknown,
  position: number,
  recording: Recording,
): RecordedExchange | string {
  const { data: entry } = Entry.safeParse(value);
  if (entry === undefined || !URL.canParse(entry.request.url)) return 'no request with a response';
  const url = new URL(entry.request.url);
  const { status, headers, content } = entry.response;
  if (status === 101 || entry._resourceType === 'websocket' || /^wss?:$/.test(url.protocol))
    return 'WebSocket';
  if (!/^https?:$/.test(url.protocol)) return 'not HTTP';
  // Chromium aborts with 0, Playwright with -1.
  if (status <= 0) return 'aborted';
  if (status === 304 || isFromCache(entry)) return 'from a cache';
  if ([301, 302, 307, 308].includes(status)) return 'redirected';
  if (
    entry.request.method === 'OPTIONS' &&
    'access-control-request-method' in named(entry.request.headers)
  )
    return 'preflight of CORS';
  if (isMultipart(entry) && entry.request.postData?.params.length === 0)
    return 'with a multipart form whose fields are not recorded';
  const sent = sentOf(entry, recording);
  if (sent.body === undefined && Number(named(entry.request.headers)['content-length']) > 0)
    return 'with a body that is not recorded';
  const body = bodyOf(entry, recording);
  const excess = jsonExcess(body ?? '');
  if (excess !== undefined) return `with a body that ${excess}`;
  const started = Date.parse(entry.startedDateTime);
  const received = named(headers);
  // Without a content type, Firefox has one of its own here.
  if (content.mimeType && headers.length === 0) received['content-type'] = content.mimeType;
  return {
    position,
    url,
    request: { method: entry.request.method, url: url.href, ...sent },
    response: { status, headers: received, body: body ?? '', json: parseJson(body ?? '') },
    hasBody: body !== undefined,
    hasHeaders: headers.length > 0,
    end: (Number.isNaN(started) ? 0 : started) + Math.max(0, entry.time),
  };
}

/** Whether no request was sent. Firefox has `afterRequest` in the entries of its cache only. */
function isFromCache({ cache, _fromCache }: Entry): boolean {
  return cache.afterRequest !== undefined || Boolean(_fromCache);
}

/** Returns headers by their names in lower case, without the pseudo-headers of HTTP/2. */
function named(headers: Entry['request']['headers']): Record<string, string> {
  const fields = headers.filter(({ name }) => !name.startsWith(':'));
  return Object.fromEntries(fields.map(({ name, value }) => [name.toLowerCase(), value]));
}

/** Returns the headers and the body of a request. The fields of a form become a URL-encoded one if there is no other text. */
function sentOf(entry: Entry, recording: Recording): Pick<SentRequest, 'headers' | 'body'> {
  const { headers, postData } = entry.request;
  const { 'content-length': _, ...sent } = named(headers);
  if (postData === undefined) return { headers: sent };
  const { params, mimeType, _file } = postData;
  const text = (_file === undefined ? postData.text : attached(recording, _file)) ?? '';
  if (params.length > 0 && (text === '' || isMultipart(entry))) {
    const body = new URLSearchParams(params.map(({ name, value }) => [name, value])).toString();
    return { headers: { ...sent, 'content-type': 'application/x-www-form-urlencoded' }, body };
  }
  if (mimeType) sent['content-type'] ??= mimeType;
  return text === '' ? { headers: sent } : { headers: sent, body: text };
}

function isMultipart({ request: { headers, postData } }: Entry): boolean {
  const type = postData?.mimeType ?? named(headers)['content-type'] ?? '';
  return /^multipart\/form-data/i.test(type);
}

/** Returns the body of a response as text; undefined if the recording does not have it. */
function bodyOf(
  { request, response: { status, content } }: Entry,
  recording: Recording,
): string | undefined {
  const { text, encoding, size, _file } = content;
  if (_file !== undefined) return attached(recording, _file);
  if (text !== undefined)
    return encoding === 'base64' ? decodedText(Buffer.from(text, 'base64')) : text;
  return size === 0 || status === 204 || request.method === 'HEAD' ? '' : undefined;
}

/** Playwright can put bodies beside its archive. A name leads to no other folder. */
function attached(recording: Recording, name: string): string | undefined {
  if (typeof recording !== 'string') return undefined;
  try {
    return decodedText(readFileSync(join(dirname(recording), basename(name))));
  } catch {
    return undefined;
  }
}

/** Some proxies record bodies as they were sent, compressed. */
function decodedText(bytes: Buffer): string | undefined {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  try {
    return (isGzip ? gunzipSync(bytes, { maxOutputLength: 16 * 1_048_576 }) : bytes).toString();
  } catch {
    return undefined;
  }
}
