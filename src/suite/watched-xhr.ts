import type { BeginRequest, Context, SeamRequest } from './seam-request.ts';
import { corruptedText, replacementOf, type FaultName } from './fault-names.ts';
import { bodyText } from './watched-fetch.ts';

type XhrClass = typeof XMLHttpRequest;
type End = 'load' | 'error' | 'abort' | 'timeout';

const ends: readonly End[] = ['load', 'error', 'abort', 'timeout'];
const eventNames = ['readystatechange', 'loadstart', 'progress', ...ends, 'loadend'] as const;
type EventName = (typeof eventNames)[number];

type Handler = ((event: Event) => void) | null;

/** What a request shows in the place of its response. */
interface Shown {
  readonly status: number;
  readonly statusText: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const nothing: Shown = { status: 0, statusText: '', headers: {}, body: '' };

/** A test may have fake timers. */
const [setRealTimeout, clearRealTimeout] = [setTimeout, clearTimeout];

/** Events and their targets are of one page, if a worker has several after each other. */
const { Event: PageEvent } = globalThis;

/**
 * Returns an `XMLHttpRequest` whose requests and responses are watched. A request of the other class performs each of its.
 *
 * @param snapshot returns what runs work in the asynchronous context of now
 * @see https://xhr.spec.whatwg.org
 */
export function watchedXhr(Xhr: XhrClass, begin: BeginRequest, snapshot: () => Context): XhrClass {
  return class extends WatchedXhr {
    constructor() {
      super(new Xhr(), begin, snapshot);
    }

    /** MSW recognizes its own requests so. */
    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof Xhr || Function.prototype[Symbol.hasInstance].call(this, value);
    }
  };
}

class WatchedXhr extends EventTarget {
  static readonly UNSENT = 0;
  static readonly OPENED = 1;
  static readonly HEADERS_RECEIVED = 2;
  static readonly LOADING = 3;
  static readonly DONE = 4;
  readonly UNSENT = 0;
  readonly OPENED = 1;
  readonly HEADERS_RECEIVED = 2;
  readonly LOADING = 3;
  readonly DONE = 4;
  onreadystatechange: Handler = null;
  onloadstart: Handler = null;
  onprogress: Handler = null;
  onload: Handler = null;
  onerror: Handler = null;
  onabort: Handler = null;
  ontimeout: Handler = null;
  onloadend: Handler = null;
  readyState = 0;
  readonly #inner: XMLHttpRequest;
  readonly #begin: BeginRequest;
  readonly #snapshot: () => Context;
  #opened: { readonly method: string; readonly url: string; readonly isAsync: boolean };
  #request: SeamRequest | undefined;
  #body: Promise<string | undefined> = Promise.resolve('');
  #responseType: XMLHttpRequestResponseType = '';
  #shown: Shown | undefined;
  #text: string | undefined;
  #json: unknown;
  #isOver = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Runs what listens outside of the request, whose own requests are not watched. */
  #outside: Context;

  constructor(inner: XMLHttpRequest, begin: BeginRequest, snapshot: () => Context) {
    super();
    this.#inner = inner;
    this.#begin = begin;
    this.#snapshot = snapshot;
    this.#outside = snapshot();
    this.#opened = { method: 'GET', url: '', isAsync: true };
    for (const name of eventNames) {
      this.addEventListener(name, (event) => this[`on${name}`]?.(event));
      Object.assign(inner, { [`on${name}`]: (event?: ProgressEvent) => this.#relay(name, event) });
    }
  }

  open(...args: [method: string, url: string | URL, isAsync?: boolean]): void {
    const [method, url, isAsync = true] = args;
    this.#opened = { method: method.toUpperCase(), url: String(url), isAsync };
    this.#request = undefined;
    this.#shown = undefined;
    this.#text = undefined;
    this.#json = undefined;
    this.#isOver = false;
    this.#inner.open(...(args as [string, string, boolean]));
  }

  setRequestHeader(...args: Parameters<XMLHttpRequest['setRequestHeader']>): void {
    this.#inner.setRequestHeader(...args);
  }

  overrideMimeType(type: string): void {
    this.#inner.overrideMimeType(type);
  }

  send(body?: Parameters<XMLHttpRequest['send']>[0]): void {
    const { method, url, isAsync } = this.#opened;
    const text = typeof body === 'string' ? body : undefined;
    const request = isAsync ? this.#begin(method, url, text) : undefined;
    this.#request = request;
    if (request === undefined) return this.#inner.send(body);
    this.#outside = this.#snapshot();
    this.#body = bodyText(undefined, { body });
    const { run, call, within } = request;
    const { fault } = call;
    const replacement = replacementOf(fault);
    if (fault !== 'drop' && replacement === undefined) return within(() => this.#inner.send(body));
    void run.evidence.settle(call, this.#body, replacement?.status ?? 0);
    const shown = replacement && { statusText: '', body: '', ...replacement };
    queueMicrotask(() => this.#end(shown ?? nothing, shown === undefined ? 'error' : 'load'));
  }

  abort(): void {
    if (this.#inner.readyState === 4 && this.readyState !== 4) this.#end(nothing, 'abort');
    else this.#inner.abort();
    this.readyState = 0;
  }

  #relay(name: EventName, event?: ProgressEvent): void {
    if (this.#isOver) return;
    const { readyState, status } = this.#inner;
    const end = ends.find((one) => one === name);
    const isDone = readyState === 4 || end !== undefined;
    const { run, call } = this.#request ?? {};
    if (run !== undefined && call?.isSettled === false && isDone)
      void run.evidence.settle(call, this.#body, end === 'abort' ? undefined : status);
    if (call?.fault === undefined || !isDone) {
      this.readyState = readyState;
      this.#emit(name, event);
    } else if (end === 'load') this.#spoil(call.fault, call.released);
    else if (end !== undefined) this.#end(nothing, end);
  }

  /** Ends a request that was performed as its fault says. */
  #spoil(fault: FaultName, released: Promise<unknown>): void {
    const { status, statusText, timeout } = this.#inner;
    const shown = { status, statusText, headers: headersOf(this.#inner), body: this.#innerText };
    if (fault === 'malformed' || fault === 'cut off') {
      this.#end({ ...shown, body: corruptedText(shown.body, fault) }, 'load');
    } else if (fault === 'slow') {
      if (timeout > 0) this.#timer = setRealTimeout(() => this.#end(nothing, 'timeout'), timeout);
      void released.then(() => this.#end(undefined, 'load'));
    } else this.#end(nothing, 'error');
  }

  #end(shown: Shown | undefined, end: End): void {
    if (this.#isOver) return;
    clearRealTimeout(this.#timer);
    this.#isOver = true;
    this.#shown = shown;
    this.readyState = 4;
    for (const name of ['readystatechange', end, 'loadend'] as const) this.#emit(name);
  }

  #emit(name: EventName, progress?: ProgressEvent): void {
    const { lengthComputable = false, loaded = 0, total = 0 } = progress ?? {};
    const event = Object.assign(new PageEvent(name), { lengthComputable, loaded, total });
    this.#outside(() => this.dispatchEvent(event));
  }

  get status(): number {
    return this.#shown?.status ?? this.#inner.status;
  }

  get statusText(): string {
    return this.#shown?.statusText ?? this.#inner.statusText;
  }

  get responseURL(): string {
    return this.#inner.responseURL;
  }

  getResponseHeader(name: string): string | null {
    if (this.#shown === undefined) return this.#inner.getResponseHeader(name);
    return this.#shown.headers[name.toLowerCase()] ?? null;
  }

  getAllResponseHeaders(): string {
    if (this.#shown === undefined) return this.#inner.getAllResponseHeaders();
    const lines = Object.entries(this.#shown.headers).map(([name, value]) => `${name}: ${value}`);
    return lines.join('\r\n');
  }

  get responseText(): string {
    if (this.#shown !== undefined) return this.#shown.body;
    const { run, call } = this.#request ?? {};
    const text = this.#inner.responseText;
    if (run === undefined || call === undefined || call.isTaken || this.readyState !== 4)
      return text;
    return (this.#text ??= run.receiveAtClient(call, this.status, text));
  }

  get response(): unknown {
    switch (this.#responseType) {
      case '':
      case 'text':
        return this.responseText;
      case 'json':
        return this.readyState === 4
          ? (this.#json ??= parsed(this.responseText, this.#request?.host))
          : null;
      default:
        return this.#shown === undefined
          ? (this.#inner.response as unknown)
          : binary(this.#shown.body, this.#responseType);
    }
  }

  get responseXML(): Document | null {
    return this.#inner.responseXML;
  }

  get responseType(): XMLHttpRequestResponseType {
    return this.#responseType;
  }

  set responseType(type: XMLHttpRequestResponseType) {
    this.#responseType = type;
    this.#inner.responseType = type === 'json' ? 'text' : type;
  }

  get #innerText(): string {
    return /^(text)?$/.test(this.#inner.responseType) ? this.#inner.responseText : '';
  }

  get timeout(): number {
    return this.#inner.timeout;
  }

  set timeout(milliseconds: number) {
    this.#inner.timeout = milliseconds;
  }

  get withCredentials(): boolean {
    return this.#inner.withCredentials;
  }

  set withCredentials(included: boolean) {
    this.#inner.withCredentials = included;
  }

  get upload(): XMLHttpRequestUpload {
    return this.#inner.upload;
  }
}

function headersOf(request: XMLHttpRequest): Record<string, string> {
  const lines = request.getAllResponseHeaders().split('\r\n');
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(': ');
      return [name.toLowerCase(), value.join(': ')];
    }),
  );
}

function parsed(text: string, host = globalThis): unknown {
  try {
    return host.JSON.parse(text);
  } catch {
    return null;
  }
}

function binary(text: string, type: XMLHttpRequestResponseType): unknown {
  if (type === 'arraybuffer') return new TextEncoder().encode(text).buffer;
  return type === 'blob' ? new Blob([text]) : null;
}
