import type { JournalEntry } from '../../journal/recorded-exchange.ts';

/** A recorded request as a client can send it again. */
export interface SentRequest {
  readonly method: string;
  /** With its origin. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Whether a secret is missing. */
  readonly hasSecret: boolean;
  /** Why the body is missing, if it is. */
  readonly leftOut: string | undefined;
}

/** Stands for each secret. */
export const notRecorded = 'SECRET-NOT-RECORDED';

/** The address of a server in texts, if a recorded request names none. */
export const defaultAddress = 'http://127.0.0.1:4000';

/** Headers that a client adds by itself, or that only tell where a request came from. */
const ownHeaders =
  /^(host|connection|keep-alive|content-length|transfer-encoding|te|expect|accept-(encoding|language|charset)|user-agent|cookie|origin|referer|dnt|pragma|cache-control|priority|upgrade-insecure-requests|via|forwarded|x-forwarded-.*|x-real-ip|sec-.*)$/;

/**
 * Returns a recorded request with a placeholder for each secret.
 *
 * @param address URL of the server (default: that of the request, or else the default address)
 */
export function sentRequest(entry: JournalEntry, address?: string): SentRequest {
  const { method, request } = entry;
  const { url, isShown } = withPlaceholder(`${addressOf(entry, address)}${entry.url}`);
  const headers = headersOf(entry);
  const body = bodyOf(request.body, headers);
  const texts = [...Object.values(headers), ...(body === undefined ? [] : [body])];
  return {
    method,
    url,
    headers,
    body,
    hasSecret: isShown || texts.some((text) => text.includes(notRecorded)),
    leftOut: request.left_out,
  };
}

/** Returns the URL in front of the path of a request. */
export function addressOf(
  { session, request: { headers } }: JournalEntry,
  address?: string,
): string {
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  const { host } = headers;
  const own = host === undefined ? defaultAddress : `${scheme}://${host}`;
  const base =
    address === undefined || address.startsWith('/') ? `${own}${address ?? ''}` : address;
  const isNamed = session === undefined || headers['x-backlot-session'] !== undefined;
  return `${base.replace(/\/+$/, '')}${isNamed ? '' : `/s/${encodeURIComponent(session)}`}`;
}

/** Returns the headers that matter to the back office. A multipart body is sent as a form. */
export function headersOf({ request }: JournalEntry): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (ownHeaders.test(name) || (name === 'accept' && value === '*/*')) continue;
    headers[name] = withPlaceholder(value).url;
  }
  const type = headers['content-type'] ?? '';
  if (request.body === undefined) delete headers['content-type'];
  else if (type === '') headers['content-type'] = 'application/json';
  else if (type.startsWith('multipart/')) headers['content-type'] = formType;
  return headers;
}

const formType = 'application/x-www-form-urlencoded';

/** Returns the parameters of a body as JSON or as a form, depending on the headers. */
export function bodyOf(
  parameters: unknown,
  headers: Readonly<Record<string, string>>,
): string | undefined {
  if (parameters === undefined) return undefined;
  const shown = replaceSecrets(parameters, () => notRecorded);
  if (headers['content-type']?.includes(formType) !== true) return JSON.stringify(shown);
  return new URLSearchParams(pairsIn(shown, '')).toString();
}

/** Returns a tree with another value for each masked one. */
export function replaceSecrets(
  value: unknown,
  replace: (path: readonly string[], masked: string) => unknown,
  path: readonly string[] = [],
): unknown {
  if (typeof value === 'string') return isMasked.test(value) ? replace(path, value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.map((one, at) => replaceSecrets(one, replace, [...path, String(at)]));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      replaceSecrets(one, replace, [...path, name]),
    ]),
  );
}

/** `***`, or a card number: `************4242`. */
const isMasked = /^\*{3,}\d{0,4}$/;

function withPlaceholder(text: string): { readonly url: string; readonly isShown: boolean } {
  const url = text.replaceAll(/(\*|%2A){3,}\d{0,4}/gi, notRecorded);
  return { url, isShown: url !== text };
}

/** Returns the pairs of a form: `items[0][variant]`, `7`. */
function pairsIn(value: unknown, name: string): [string, string][] {
  if (typeof value !== 'object' || value === null)
    return [
      [name, typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)],
    ];
  return Object.entries(value).flatMap(([key, one]) =>
    pairsIn(one, name === '' ? key : `${name}[${key}]`),
  );
}

/** Returns a request as a command for a POSIX shell. */
export function curlOf({ method, url, headers, body, ...missing }: SentRequest): string {
  const parts = [
    `curl ${methodFlag(method)}${/[[\]{}]/.test(url) ? '--globoff ' : ''}${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(headerLine(name, value))}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ];
  return [...notes(missing).map((note) => `# ${note}`), parts.join(' \\\n  ')].join('\n');
}

function methodFlag(method: string): string {
  if (method === 'GET') return '';
  return method === 'HEAD' ? '--head ' : `-X ${quoted(method)} `;
}

/** curl sends an empty header only if it ends with a semicolon. */
function headerLine(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`;
}

/** Within single quotes, a POSIX shell expands nothing. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Returns a request as a call of `fetch`. */
export function fetchOf({ method, url, headers, body, ...missing }: SentRequest): string {
  const init = {
    ...(method !== 'GET' && { method }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body !== undefined && { body }),
  };
  const second = Object.keys(init).length === 0 ? '' : `, ${JSON.stringify(init, null, 2)}`;
  return [
    ...notes(missing).map((note) => `// ${note}`),
    `await fetch(${JSON.stringify(url)}${second});`,
  ].join('\n');
}

function notes({ hasSecret, leftOut }: Pick<SentRequest, 'hasSecret' | 'leftOut'>): string[] {
  return [
    ...(hasSecret ? [`Secrets are not recorded: replace ${notRecorded}.`] : []),
    ...(leftOut === undefined ? [] : [`The body is missing: ${leftOut.replaceAll(/\s+/g, ' ')}.`]),
  ];
}
