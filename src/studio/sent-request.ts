import { parseJson } from '../engine/lib/json-value.ts';
import type { BodyExample, Parameter } from './docs/operation.ts';

/** Whether a path is one of the store API, wherever that is. */
export function isOfStore(path: string): boolean {
  return !/^\/(_backlot|oauth)(\/|$)/.test(path);
}

/** A request to fill in. */
export interface Draft {
  readonly method: string;
  /** Path and query. A path may have parameters in braces: `/api/orders/{order_id}`. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface ComposerProps {
  readonly draft: Draft;
  /** The parameters of path and query. Without them, the URL itself is edited. */
  readonly parameters?: readonly Parameter[];
  /** Example bodies; the first one is filled in. Empty if the request has no body. */
  readonly bodies?: readonly BodyExample[];
}

/** A request as the composer sends it. */
export interface SentRequest {
  readonly method: string;
  /** Path and query: `/api/orders/3`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; empty without a body. */
  readonly body: string;
}

/** Fills the parameters of a path and appends those of the query. Parameters without a value are left out. */
export function filledUrl(
  path: string,
  parameters: readonly { readonly name: string; readonly in: string }[],
  values: Readonly<Record<string, string>>,
): string {
  const filled = path.replaceAll(/\{([^{}]+)\}/g, (braces, name: string) => {
    const value = values[name] ?? '';
    return value === '' ? braces : encodeURIComponent(value);
  });
  const query = parameters
    .filter((one) => one.in === 'query' && (values[one.name] ?? '') !== '')
    .map(({ name }) => `${queryPart(name)}=${queryPart(values[name] ?? '')}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

/** Encodes for a query, and leaves brackets and slashes readable. */
function queryPart(text: string): string {
  return encodeURIComponent(text).replaceAll(/%5B|%5D|%2F|%3A|%20/g, (code) =>
    code === '%20' ? '+' : decodeURIComponent(code),
  );
}

/** Reads headers, one on each line: `Prefer: status=503`. */
export function headersOf(text: string): Record<string, string> {
  const lines = text.split('\n').map((line) => /^([^:\s]+)\s*:(.*)$/.exec(line.trim()));
  return Object.fromEntries(
    lines.flatMap((found) => (found === null ? [] : [[found[1] ?? '', found[2]?.trim() ?? '']])),
  );
}

/** The headers of a request, with the type of its body. */
function allHeaders({ headers, body }: SentRequest): [name: string, value: string][] {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const needsType = body !== '' && !names.includes('content-type');
  return [
    ...Object.entries(needsType ? { 'content-type': 'application/json' } : {}),
    ...Object.entries(headers),
  ];
}

/** Returns the request as a curl command for a POSIX shell. */
export function asCurl(request: SentRequest, root: string): string {
  const { method, url, body } = request;
  const parts = [
    method === 'GET' ? 'curl' : `curl -X ${method}`,
    quoted(`${root}${url}`),
    ...allHeaders(request).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === '' ? [] : [`-d ${quoted(compact(body))}`]),
  ];
  return parts.join(' ');
}

/** Returns the request as a call of `fetch`. */
export function asFetch(request: SentRequest, root: string): string {
  const { method, url, body } = request;
  const options = {
    method,
    headers: Object.fromEntries(allHeaders(request)),
    ...(body !== '' && { body: compact(body) }),
  };
  return `await fetch(${JSON.stringify(`${root}${url}`)}, ${JSON.stringify(options, null, 2)});`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A body that is not JSON stays as it is. */
function compact(body: string): string {
  const value = parseJson(body);
  return value === undefined ? body : JSON.stringify(value);
}
