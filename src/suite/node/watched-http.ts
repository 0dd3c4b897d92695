import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import { duplexPair } from 'node:stream';
import type { ApiResponse } from '../../engine/rest/message.ts';
import { replacementOf } from '../fault-names.ts';
import { isAbort } from '../watched-fetch.ts';
import {
  textFor,
  type BeginRequest,
  type Context,
  type SeamContexts,
  type SeamRequest,
} from '../seam-request.ts';
import { headersOfBytes, textCollector } from './response-text.ts';

/** A `request` of `node:http` or `node:https`. */
export type Send = (...args: unknown[]) => ClientRequest;

/** What nothing has replaced yet. */
const { request: sendNatively } = http;

/**
 * Returns a `request` of `node:http` or `node:https` whose requests and responses are watched, as axios in Node.js and got send
 * them. The other one performs each: that of nock or MSW, too.
 */
export function watchedHttp(send: Send, begin: BeginRequest, contexts: SeamContexts): Send {
  return new Proxy(send, {
    apply(target, self, args) {
      const create = (): ClientRequest => Reflect.apply(target, self, args);
      if (contexts.isInside() || isOfServerTest()) return create();
      return new WatchedRequest(contexts.inside(create), begin, contexts.snapshot()).request;
    },
  });
}

/** Whether a test itself sends the request that is created now, to the server that it tests. */
function isOfServerTest(): boolean {
  return /[\\/]node_modules[\\/](supertest|chai-http)[\\/]/.test(new Error('sent').stack ?? '');
}

/** What `node:http` says of a connection that closes. */
function lost(): Error {
  return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
}

/** A request whose methods are watched. */
class WatchedRequest {
  readonly request: ClientRequest;
  readonly #begin: BeginRequest;
  /** Runs what listens outside of the request, whose own requests are not watched. */
  readonly #outside: Context;
  readonly #emit: ClientRequest['emit'];
  readonly #sent: Buffer[] = [];
  #isSent = false;
  #seam: SeamRequest | undefined;
  /** Whether another response comes in the place of its own. */
  #isReplaced = false;

  constructor(request: ClientRequest, begin: BeginRequest, outside: Context) {
    this.request = request;
    this.#begin = begin;
    this.#outside = outside;
    this.#emit = request.emit.bind(request);
    const write = request.write.bind(request) as (...args: unknown[]) => boolean;
    const end = request.end.bind(request) as (...args: unknown[]) => ClientRequest;
    // A client may end its request when a part is written, as follow-redirects does, which axios uses.
    const ofClient = (arg: unknown): unknown => {
      if (typeof arg !== 'function') return arg;
      const onDone = arg as (...given: unknown[]) => unknown;
      return (...given: unknown[]) => outside(() => onDone(...given));
    };
    Object.assign(request, {
      write: (...args: unknown[]) => {
        this.#note(args);
        return write(...args.map(ofClient));
      },
      end: (...args: unknown[]) => {
        this.#note(args);
        return this.#send(() => end(...args.map(ofClient)));
      },
      emit: (name: string, ...args: unknown[]) => outside(() => this.#relay(name, args)),
    });
  }

  #note([chunk, encoding]: readonly unknown[]): void {
    if (typeof chunk === 'string')
      this.#sent.push(
        Buffer.from(chunk, typeof encoding === 'string' ? (encoding as 'utf8') : 'utf8'),
      );
    else if (chunk instanceof Uint8Array) this.#sent.push(Buffer.from(chunk));
  }

  get #body(): string {
    return Buffer.concat(this.#sent).toString();
  }

  #send(end: () => ClientRequest): ClientRequest {
    if (this.#isSent) return end();
    this.#isSent = true;
    const { request } = this;
    // That of an older nock has less than others.
    const method = (request.method as string | undefined) ?? 'GET';
    const isHttp = !request.hasHeader('upgrade') && method !== 'CONNECT';
    const seam = isHttp ? this.#begin(method, urlOf(request), this.#body) : undefined;
    this.#seam = seam;
    if (seam === undefined) return end();
    const { call, within } = seam;
    const replacement = replacementOf(call.fault);
    if (call.fault !== 'drop' && replacement === undefined) return within(end);
    this.#settle(replacement?.status ?? 0);
    if (replacement === undefined) return request.destroy(lost());
    this.#isReplaced = true;
    receiveInMemory(request, replacement, (response) => {
      this.#outside(() => this.#emit('response', response));
      response.once('close', () => request.destroy());
    });
    return request;
  }

  #settle(status: number | undefined): void {
    const { run, call } = this.#seam ?? {};
    if (call?.isSettled === false)
      void run?.evidence.settle(call, Promise.resolve(this.#body), status);
  }

  #relay(name: string, args: readonly unknown[]): boolean {
    const [first] = args;
    // Of a connection on which nothing was sent.
    if (name === 'error' && this.#isReplaced) return true;
    if (name === 'error') this.#settle(isAbort(first) ? undefined : 0);
    if (name === 'response') return this.#receive(first as IncomingMessage);
    return this.#emit(name, ...args);
  }

  #receive(response: IncomingMessage): boolean {
    const emit: (name: string, ...args: unknown[]) => boolean = response.emit.bind(response);
    Object.assign(response, {
      emit: (name: string, ...args: unknown[]) => this.#outside(() => emit(name, ...args)),
    });
    const relay = (): boolean => this.#emit('response', response);
    const { statusCode: status = 0 } = response;
    this.#settle(status);
    const seam = this.#seam;
    if (seam === undefined || seam.call.isTaken) return relay();
    const { fault, released } = seam.call;
    if (fault === 'drop after') {
      this.request.destroy(lost());
      return true;
    }
    changeText(response, (text) => textFor(seam, status, text));
    if (fault !== 'slow') return relay();
    void released.then(relay);
    return true;
  }
}

function urlOf(request: ClientRequest): string {
  const { protocol, path }: Partial<ClientRequest> = request;
  const host = request.getHeader('host')?.toString() ?? 'localhost';
  return new URL(path ?? '/', `${protocol ?? 'http:'}//${host}`).href;
}

/** Has a response received over a connection in memory. */
function receiveInMemory(
  { method, path }: ClientRequest,
  { status, headers, body }: ApiResponse,
  onResponse: (response: IncomingMessage) => void,
): void {
  const [client, server] = duplexPair();
  http
    .createServer((_, response) => response.writeHead(status, headers).end(body))
    .emit('connection', server);
  sendNatively({ method, path, createConnection: () => client })
    .once('response', onResponse)
    .end();
}

/** Has the text of a response pass a function before its client reads it. */
function changeText(response: IncomingMessage, change: (text: string) => string): void {
  const { headers, rawHeaders } = response;
  const collector = textCollector((name) => headers[name]?.toString());
  if (collector === undefined) return;
  for (const name of headersOfBytes) Reflect.deleteProperty(headers, name);
  response.rawHeaders = rawHeaders.filter((_, at) => {
    const name = rawHeaders[at - (at % 2)] ?? '';
    return !headersOfBytes.includes(name.toLowerCase());
  });
  const push = response.push.bind(response);
  response.push = (chunk: Buffer | null) => {
    if (chunk !== null) {
      collector.add(chunk);
      return true;
    }
    // The end of its connection ends it once more.
    response.push = push;
    const text = collector.end();
    if (text !== '') push(change(text));
    return push(null);
  };
}
