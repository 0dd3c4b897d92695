import { ownParse } from '../engine/lib/own-parse.ts';
import { isObject, valueAt } from '../engine/lib/json-value.ts';
import type { BeginRequest, SeamRequest } from './seam-request.ts';
import { isPlain } from './json-reads.ts';
import { corruptedText, replacementOf } from './fault-names.ts';

type Fetch = typeof globalThis.fetch;

/** What `fetch` of Chrome says of a connection that closes. */
const lostMessage = 'Failed to fetch';

/** Returns a `fetch` whose requests and responses are watched. In all else, it is the other one: the mock of a test, too. */
export function watchedFetch(fetch: Fetch, begin: BeginRequest): Fetch {
  const apply = (target: Fetch, self: unknown, args: Parameters<Fetch>): unknown => {
    const send = (): unknown => Reflect.apply(target, self, args);
    const [input, init] = args;
    const body = typeof init?.body === 'string' ? init.body : undefined;
    const request = begin(methodOf(input, init), urlOf(input), body, apply as () => unknown);
    if (request === undefined) return send();
    const { fault } = request.call;
    if (fault === 'drop' || replacementOf(fault) !== undefined) noteCall(target, args);
    return answer(request, args, send);
  };
  return new Proxy(fetch, { apply });
}

/** Notes a call that a stub of vitest or Jest does not receive: tests count its calls. */
function noteCall(stub: Fetch & { readonly mock?: unknown }, args: Parameters<Fetch>): void {
  const calls = valueAt(stub.mock, ['calls']);
  if (Array.isArray(calls)) calls.push(args);
}

function methodOf(input: RequestInfo | URL, init: RequestInit | undefined): string {
  return (init?.method ?? (isRequest(input) ? input.method : 'GET')).toUpperCase();
}

function urlOf(input: RequestInfo | URL): string {
  return isRequest(input) ? input.url : String(input);
}

/** Whether an input is a `Request`, of whichever library. */
function isRequest(input: RequestInfo | URL): input is Request {
  return typeof input === 'object' && 'url' in input;
}

async function answer(
  { run, call, within, host }: SeamRequest,
  [input, init]: Parameters<Fetch>,
  send: () => unknown,
): Promise<unknown> {
  const { fault } = call;
  const body = bodyText(input, init);
  const replacement = replacementOf(fault);
  if (fault === 'drop' || replacement !== undefined) {
    void run.evidence.settle(call, body, replacement?.status ?? 0);
    if (replacement === undefined) throw new TypeError(lostMessage);
    const { status, headers, body: text } = replacement;
    return new host.Response(text, { status, headers });
  }
  const response = await within(() => responseOf(send)).catch((error: unknown) => {
    void run.evidence.settle(call, body, isAbort(error) ? undefined : 0);
    throw error;
  });
  void run.evidence.settle(call, body, response && statusOf(response));
  if (response === undefined) return response;
  if (fault === 'drop after') throw new host.TypeError(lostMessage);
  if (fault === 'malformed' || fault === 'cut off') {
    const spoilt = await corrupted(response, fault, host);
    if (spoilt === undefined) run.hit = undefined;
    return spoilt ?? response;
  }
  if (fault === 'slow') {
    const signal = init?.signal ?? (isRequest(input) ? input.signal : undefined);
    await released(call.released, signal);
  }
  if (call.isTaken) return response;
  const reading: Reading = {
    receive: (text) => run.receiveAtClient(call, statusOf(response), text),
    observe: (text, value) => run.bodies.observe(text, value),
  };
  return isStub(response)
    ? readableStub(response, reading, host)
    : readable(response, () => reading, host);
}

/** Whether a client has ended its request itself. */
export function isAbort(error: unknown): boolean {
  return isObject(error) && error['name'] === 'AbortError';
}

/** Returns what `fetch` resolves with; undefined if a stub has nothing to respond with. */
async function responseOf(send: () => unknown): Promise<Response | undefined> {
  const response = await send();
  return isObject(response) ? (response as Partial<Response> as Response) : undefined;
}

/** Awaits the release of a held response. @throws the reason of a signal that aborts */
async function released(
  release: Promise<unknown>,
  signal: AbortSignal | null | undefined,
): Promise<void> {
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });
  await Promise.race([release, aborted]);
}

/** Returns a response with a spoilt body; undefined for one without JSON, of which no client can know what is right. */
async function corrupted(
  response: Response,
  fault: 'malformed' | 'cut off',
  host: typeof globalThis,
): Promise<Response | undefined> {
  const text = isStub(response)
    ? JSON.stringify(await response.json())
    : await response.clone().text();
  if (!isJsonText(text)) return undefined;
  const { statusText, headers } = response;
  return new host.Response(corruptedText(text, fault), {
    status: statusOf(response),
    statusText: statusText ?? '',
    headers: new Headers(headers),
  });
}

function isJsonText(text: string): boolean {
  try {
    ownParse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether a test answers with an object that has a few methods of a response only: `{ ok: true, json: async () => todos }`. */
function isStub(response: Response): boolean {
  return typeof response.clone !== 'function' || typeof response.text !== 'function';
}

/** A stub may have either field, or none. */
function statusOf({ status, ok }: Partial<Pick<Response, 'status' | 'ok'>>): number {
  return status ?? (ok === false ? 500 : 200);
}

/** What texts and values of a response pass before its client has them. */
export interface Reading {
  readonly receive: (text: string) => string;
  readonly observe: (text: string, value: unknown) => unknown;
}

/** Returns what a text passes that is read by the caller of a function; undefined if it passes nothing. */
export type ReadingBy = (read: () => unknown) => Reading | undefined;

/** The methods of responses as they are. */
const methods = new WeakMap<Response, Pick<Response, 'text' | 'clone' | 'arrayBuffer'>>();

/** Has what is read of a response pass functions before its client has it. Of several calls, the last one counts. */
export function readable(
  response: Response,
  readingBy: ReadingBy,
  host: typeof globalThis,
): Response {
  // oxlint-disable-next-line typescript/unbound-method -- called with the response
  const { arrayBuffer: arrayBufferOf } = response;
  const own = methods.get(response) ?? {
    text: response.text.bind(response),
    clone: response.clone.bind(response),
    arrayBuffer: (): Promise<ArrayBuffer> => arrayBufferOf.call(response),
  };
  methods.set(response, own);
  const { text: read, clone } = own;
  const received = async (reading: Reading | undefined): Promise<string> => {
    const text = await read();
    return reading === undefined ? text : reading.receive(text);
  };
  const text = (): Promise<string> => received(readingBy(text));
  const json = async (): Promise<unknown> => {
    const reading = readingBy(json);
    const body = await received(reading);
    const value = ownParse(body, host);
    return reading === undefined ? value : reading.observe(body, value);
  };
  const arrayBuffer = async (): Promise<ArrayBuffer> => {
    if (!/\bjson\b/i.test(response.headers.get('content-type') ?? '')) return own.arrayBuffer();
    const body = await received(readingBy(arrayBuffer));
    return new host.TextEncoder().encode(body).buffer;
  };
  const cloned = (): Response => readable(clone(), readingBy, host);
  return Object.assign(response, { text, json, arrayBuffer, clone: cloned });
}

/** The stub itself may be the response of more than one request, so another one stands in front of it. */
function readableStub(
  stub: Response,
  { receive }: Reading,
  { JSON: json }: typeof globalThis,
): Response {
  if (typeof stub.json !== 'function') return stub;
  const read = async (): Promise<unknown> => {
    const value: unknown = await stub.json();
    // What holds a date, for example, is left as it is.
    return isJson(value) ? json.parse(receive(JSON.stringify(value))) : value;
  };
  return Object.create(stub, { json: { value: read } }) as Response;
}

/** Whether a value is the same once it has been written as JSON and parsed. */
function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value !== 'object') return Number.isFinite(value);
  return (isPlain(value) || Array.isArray(value)) && Object.values(value).every(isJson);
}

/** Returns the body of a request as text that tells it from others; undefined for a stream, which only its receiver may read. */
export async function bodyText(
  input: RequestInfo | URL | undefined,
  init: { readonly body?: unknown } | undefined,
): Promise<string | undefined> {
  const body = init?.body;
  if (body === undefined || body === null) {
    const isRead =
      input === undefined || !isRequest(input) || input.body === null || input.bodyUsed;
    return isRead ? '' : input.clone().text();
  }
  if (typeof body === 'string') return body;
  if (ArrayBuffer.isView(body)) return new TextDecoder().decode(body);
  switch (Object.prototype.toString.call(body)) {
    case '[object ArrayBuffer]':
      return new TextDecoder().decode(body as ArrayBuffer);
    case '[object URLSearchParams]':
      return (body as URLSearchParams).toString();
    case '[object FormData]':
      return Array.from(body as FormData, ([name, value]) => `${name}=${partText(value)}`).join(
        '&',
      );
    case '[object Blob]':
    case '[object File]':
      return partText(body as Blob);
    default:
      return undefined;
  }
}

function partText(part: string | Blob): string {
  if (typeof part === 'string') return part;
  return `${'name' in part ? String(part.name) : part.type} (${part.size} bytes)`;
}
