import qs from 'qs';
import { Problem } from '../problem.ts';
import type { ApiRequest, FormEntries } from './message.ts';

const accepted = 'application/json, application/x-www-form-urlencoded or multipart/form-data';

/**
 * The parameters of a body as one tree, whichever way they were sent: JSON nested or with flat bracket keys, url-encoded,
 * or multipart. No body, no parameters.
 *
 * @throws Problem `malformed` for a body that cannot be read, `unsupported` for another content type
 */
export function decodeBody(request: ApiRequest): Readonly<Record<string, unknown>> {
  const { body } = request;
  if (body === undefined || body.length === 0) return {};
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/json' || type.endsWith('+json')) return decodeJson(textOf(body));
  if (type === 'application/x-www-form-urlencoded') return decodeBrackets(textOf(body));
  if (type === 'multipart/form-data' && typeof body !== 'string') return decodeEntries(body);
  throw new Problem(
    'unsupported',
    type === ''
      ? `A body needs a content-type: ${accepted}.`
      : `The content type ${type} is not supported; send ${accepted}.`,
  );
}

/**
 * Bytes in the form that `decodeBody` takes: the entries of a multipart body, else text.
 *
 * @throws Problem `malformed`
 */
export async function readBody(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<string | FormEntries> {
  const isMultipart = bytes.length > 0 && /^multipart\/form-data\b/i.test(contentType);
  return isMultipart ? readMultipart(bytes, contentType) : utf8.decode(bytes);
}

const utf8 = new TextDecoder();

/**
 * Reads the entries of a multipart body with the platform's own parser.
 *
 * @throws Problem `malformed`
 */
export async function readMultipart(
  body: Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<FormEntries> {
  try {
    const data = await new Response(body, { headers: { 'content-type': contentType } }).formData();
    return await Promise.all(
      Array.from(
        data,
        async ([name, value]) =>
          [name, typeof value === 'string' ? value : await value.text()] as const,
      ),
    );
  } catch {
    throw new Problem('malformed', 'Invalid multipart message received');
  }
}

/** Reads `a=1&b[c]=2` and the like: query strings and url-encoded bodies. */
export function decodeBrackets(
  sent: string | Record<string, unknown>,
): Readonly<Record<string, unknown>> {
  try {
    // qs takes objects with bracket keys too; its types know of text values only.
    return qs.parse(sent as string, {
      allowPrototypes: true,
      depth: 8,
      parameterLimit: 10_000,
      parseArrays: false,
      plainObjects: true,
      strictDepth: true,
      throwOnLimitExceeded: true,
    });
  } catch (error) {
    if (error instanceof RangeError)
      throw new Problem('malformed', `Parameters cannot be read: ${error.message}`);
    throw error;
  }
}

function textOf(body: string | FormEntries): string {
  if (typeof body === 'string') return body;
  throw new Problem(
    'malformed',
    'Invalid message received: a multipart body under another content type',
  );
}

function decodeJson(body: string): Readonly<Record<string, unknown>> {
  const value = parseJson(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Problem('malformed', 'Invalid json message received');
  }
  const tree = value as Record<string, unknown>;
  return Object.keys(tree).some((name) => name.includes('[')) ? decodeBrackets(tree) : tree;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new Problem('malformed', 'Invalid json message received');
  }
}

/** Entries with one name are one list, as in a url-encoded body. */
function decodeEntries(entries: FormEntries): Readonly<Record<string, unknown>> {
  const grouped = new Map<string, unknown>();
  for (const [name, value] of entries) {
    const before = grouped.get(name);
    grouped.set(name, before === undefined ? value : [before, value].flat());
  }
  return decodeBrackets(Object.fromEntries(grouped));
}
