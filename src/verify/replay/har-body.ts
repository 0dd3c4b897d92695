import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { jsonExcess, jsonLimits, type JsonLimits } from '../../engine/lib/json-limits.ts';
import { parseJson } from '../../engine/lib/json-value.ts';
import { Problem } from '../../engine/lib/problem.ts';
import { readBody } from '../../engine/rest/body.ts';
import { contentDecoder } from '../../mounts/server/content-coding.ts';
import type { PackedBody, PackedEntry, RecordedExchange } from './har-entry.ts';
import { pauseOf, type Recording } from './har-file.ts';

const mebibyte = 1_048_576;

/** Maximum length of all bodies that one recording unpacks, in bytes. */
const maxUnpacked = 256 * mebibyte;

/** Unpacks the bodies of a recording: as many as its limits allow. */
export class BodyReader {
  readonly #recording: Recording;
  readonly #limits: JsonLimits;
  #left = maxUnpacked;

  /** @param recording bodies may be in files beside that of a recording */
  constructor(recording: Recording) {
    this.#recording = recording;
    this.#limits = typeof recording === 'string' ? jsonLimits.body : jsonLimits.bodyBesideOthers;
  }

  /** Returns an entry with its bodies, or why it is not replayed, as the end of “12 entries: …”. */
  async unpack(entry: PackedEntry): Promise<RecordedExchange | string> {
    const { position, url, method, status, receivedHeaders, hasHeaders } = entry;
    try {
      const request = await this.#request(entry);
      const body = await this.#response(entry);
      await pauseOf(this.#recording);
      const excess = [body, request.body]
        .map((text) => jsonExcess(text ?? '', this.#limits))
        .find(Boolean);
      if (excess !== undefined) return `with a body that ${excess}`;
      await pauseOf(this.#recording);
      const { mimeType } = entry.received;
      // Without a content type, Firefox has one of its own here.
      const headers =
        mimeType !== undefined && !hasHeaders ? { 'content-type': mimeType } : receivedHeaders;
      const json = body === undefined ? undefined : parseJson(body);
      const isWhole = json !== undefined || !this.#isCut(entry, body, headers['content-type']);
      return {
        position,
        url,
        request: { method, url: url.href, ...request },
        response: { status, headers, body: (isWhole ? body : undefined) ?? '', json },
        lacksBody: request.body === undefined && entry.hadBody,
        hasBody: body !== undefined && isWhole,
        hasHeaders,
        end: entry.start === undefined ? undefined : entry.start + entry.time,
        own: entry.own,
      };
    } catch (error) {
      if (error instanceof LeftOut) return error.message;
      throw error;
    }
  }

  /** Returns the headers and the body of a request. The fields of a form become a URL-encoded one. */
  async #request(
    entry: PackedEntry,
  ): Promise<Pick<RecordedExchange['request'], 'headers' | 'body'>> {
    const { sentHeaders, sent } = entry;
    const { 'content-length': _, 'content-encoding': coding = '', ...headers } = sentHeaders;
    if (sent === undefined) return { headers };
    const type = sent.mimeType ?? headers['content-type'] ?? '';
    const isMultipart = /^\s*multipart\/form-data/i.test(type);
    const text = (await this.#text(sent, coding)) ?? '';
    if (sent.params.length > 0 && (text === '' || isMultipart)) return formOf(sent.params, headers);
    if (isMultipart) return formOf(await fieldsOf(text, type, headers), headers);
    const contentType = headers['content-type'] ?? sent.mimeType;
    return {
      headers: { ...headers, ...(contentType !== undefined && { 'content-type': contentType }) },
      ...(text !== '' && { body: text }),
    };
  }

  /** Returns the body of a response as text; undefined if the recording does not have it. */
  async #response({
    method,
    status,
    received,
    receivedHeaders,
  }: PackedEntry): Promise<string | undefined> {
    const text = await this.#text(received, receivedHeaders['content-encoding'] ?? '');
    if (text !== undefined && text !== '') return text;
    if (status === 204 || method === 'HEAD') return '';
    // The writer may not have had what the server has sent.
    const length = Math.max(received.size ?? -1, Number(receivedHeaders['content-length'] ?? -1));
    return length === 0 || (text === '' && length < 0) ? '' : undefined;
  }

  /** Whether a writer has kept only the beginning of JSON. */
  #isCut({ received }: PackedEntry, body: string | undefined, type = ''): boolean {
    const { size = -1 } = received;
    return body !== undefined && /json/i.test(type) && Buffer.byteLength(body) < size;
  }

  /** Returns a body as text. Some proxies record bodies as they were sent, compressed. */
  async #text({ text, isBase64, file }: PackedBody, coding: string): Promise<string | undefined> {
    if (file !== undefined) return this.#decoded(this.#attached(file), coding);
    if (text === undefined || !isBase64) return text && this.#within(text);
    return this.#decoded(Buffer.from(this.#within(text), 'base64'), coding);
  }

  /** Playwright can put bodies beside its archive. A name leads to no other folder. */
  #attached(name: string): Buffer | undefined {
    if (typeof this.#recording !== 'string') return undefined;
    try {
      return readFileSync(join(dirname(this.#recording), basename(name)));
    } catch {
      return undefined;
    }
  }

  async #decoded(bytes: Buffer | undefined, coding: string): Promise<string | undefined> {
    if (bytes === undefined) return undefined;
    const names = isText(bytes) ? '' : codingsOf(bytes, coding);
    if (names === '') return this.#within(bytes.toString());
    const limit = Math.min(this.#limits.bytes, this.#left);
    try {
      const plain = await contentDecoder(names)?.(new Uint8Array(bytes), limit);
      this.#left -= plain?.length ?? 0;
      return (plain === undefined ? bytes : Buffer.from(plain)).toString();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // It has been unpacked that far.
      if (error.kind === 'too large') {
        this.#left -= limit;
        throw limit === this.#limits.bytes ? this.#tooLarge() : beyond();
      }
      return undefined;
    }
  }

  #within(text: string): string {
    if (text.length > this.#limits.bytes) throw this.#tooLarge();
    return text;
  }

  #tooLarge(): LeftOut {
    return new LeftOut(`with a body larger than ${this.#limits.bytes / mebibyte} MiB`);
  }
}

/** Ends the reading of an entry. The message states why, as the end of “12 entries: …”. */
class LeftOut extends Error {}

function beyond(): LeftOut {
  return new LeftOut(`beyond the ${maxUnpacked / mebibyte} MiB that one recording unpacks to`);
}

/** The first bytes of compressed contents: https://www.rfc-editor.org/rfc/rfc1952, https://www.rfc-editor.org/rfc/rfc8878 */
const signatures = [
  ['gzip', '1f8b'],
  ['zstd', '28b52ffd'],
] as const;

/** Returns the codings of bytes: those of the header, or the one that the bytes begin with if the header has another one last. */
function codingsOf(bytes: Buffer, header: string): string {
  const start = bytes.toString('hex', 0, 4);
  const [own] = signatures.find(([, signature]) => start.startsWith(signature)) ?? [''];
  return header.trim().toLowerCase().endsWith(own) ? header : own;
}

/** Whether bytes begin as a text does. Compressed ones have control characters among the first ones, or are no UTF-8. */
function isText(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 256);
  // The last character may be cut.
  const text = start.toString().replace(/(?<!\uFFFD)\uFFFD+$/, '');
  // oxlint-disable-next-line no-control-regex -- it looks for them
  return !/[\u0000-\u0008\u000E-\u001F\uFFFD]/.test(text);
}

function formOf(
  fields: readonly (readonly [name: string, value: string])[],
  headers: Readonly<Record<string, string>>,
): Pick<RecordedExchange['request'], 'headers' | 'body'> {
  const body = new URLSearchParams(fields.map(([name, value]) => [name, value])).toString();
  return { headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' }, body };
}

/** Returns the fields of a multipart form that is recorded as its text. */
async function fieldsOf(
  text: string,
  type: string,
  headers: Readonly<Record<string, string>>,
): Promise<readonly (readonly [name: string, value: string])[]> {
  const whole = [type, headers['content-type'] ?? ''].find((one) => /boundary=/i.test(one));
  const [, boundary = ''] = /^--([^\r\n]{1,200})\r?\n/.exec(text) ?? [];
  const contentType = whole ?? `multipart/form-data; boundary="${boundary}"`;
  // Some writers have other line ends than HTTP.
  const lines = text.includes('\r\n') ? text : text.replaceAll('\n', '\r\n');
  try {
    const fields = await readBody(new TextEncoder().encode(lines), contentType);
    if (typeof fields !== 'string') return fields;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
  throw new LeftOut('with a multipart form whose fields are not recorded');
}
