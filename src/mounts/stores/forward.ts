import type { Agent, IncomingMessage, RequestOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isUint8Array } from 'node:util/types';
import { answerPeer, peerHeader, peerOf, type PeerCodes } from '../http/peer.ts';
import { endUnlessRead } from '../http/unread.ts';
import { stripOrigin } from '../../engine/sessions/request-target.ts';
import { maxUnused, type Outcome, type Peers } from './store-router.ts';

/** A request to be forwarded, with its body. */
export interface Exchange {
  readonly request: IncomingMessage & { readonly body?: unknown };
  readonly response: ServerResponse;
  readonly client: string | undefined;
}

export interface ForwardOptions {
  readonly codes: PeerCodes;
  /** Path in front of every path. */
  readonly basePath: string;
  /** How long to wait for a response before `isAlive` is asked, in milliseconds. */
  readonly patience: number;
}

/** A request without a response. */
interface Watched {
  readonly since: number;
  readonly isAlive: () => Promise<boolean>;
  /** Whether a connection is being made. */
  readonly isConnecting: () => boolean;
  readonly giveUp: () => void;
}

/** Forwards requests to other servers, over connections that are kept open. */
export class Forwarder implements Peers<Exchange> {
  readonly #options: ForwardOptions;
  readonly #agent: Agent;
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;
  readonly #sweep: NodeJS.Timeout;
  /** By URL. */
  readonly #places = new Map<string, { readonly host: string; readonly port: string }>();

  constructor(options: ForwardOptions) {
    this.#options = options;
    const { Agent: HttpAgent } = process.getBuiltinModule('node:http');
    this.#agent = new HttpAgent({ keepAlive: true, maxFreeSockets: 256, scheduling: 'lifo' });
    this.#sweep = closeUnused(this.#agent);
  }

  hasForwarded({ request }: Exchange): boolean {
    return peerOf(request) !== undefined;
  }

  misdirect({ response }: Exchange): boolean {
    return answerPeer(response, 'misdirected');
  }

  async forward(
    url: string,
    { request, response, client }: Exchange,
    headers: Readonly<Record<string, string>>,
    isAlive: () => Promise<boolean>,
  ): Promise<Outcome> {
    const { request: send } = process.getBuiltinModule('node:http');
    const upstream = send(this.#optionsOf(url, request, client));
    let isUnreached = false;
    const isConnecting = (): boolean => upstream.socket?.connecting !== false;
    const giveUp = (): void => {
      isUnreached = isConnecting();
      upstream.destroy();
    };
    const watched = { since: performance.now(), isAlive, isConnecting, giveUp };
    this.#watch(watched);
    const close = (): void => void upstream.destroy();
    response.once('close', close);
    try {
      return await new Promise<Outcome>((resolve) => {
        upstream.once('response', (answer) => {
          const told = this.#options.codes.answerOf(url, answer);
          if (told === undefined) return resolve(relay(answer, response, headers));
          answer.resume();
          if (told === 'drop') response.req.socket.destroy();
          resolve(told === 'drop' ? 'sent' : told);
        });
        upstream.once('error', (error: NodeJS.ErrnoException) => {
          if (response.destroyed) resolve('sent');
          else resolve(isUnreached || !wasReached(error) ? 'unreached' : 'lost');
        });
        upstream.end(isUint8Array(request.body) ? request.body : undefined);
      });
    } finally {
      this.#watched.delete(watched);
      response.off('close', close);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    clearInterval(this.#sweep);
    this.#agent.destroy();
  }

  /** One timer for all requests costs less than one for each. */
  #watch(watched: Watched): void {
    this.#watched.add(watched);
    const { patience } = this.#options;
    this.#timer ??= setInterval(() => {
      const late = performance.now() - patience;
      for (const { since, isAlive, isConnecting, giveUp } of this.#watched) {
        if (since >= late) continue;
        if (isConnecting()) giveUp();
        else
          void isAlive().then(
            (alive) => alive || giveUp(),
            () => undefined,
          );
      }
    }, patience / 2).unref();
  }

  #optionsOf(
    url: string,
    { method, url: path = '/', rawHeaders, body, headers: { host } }: Exchange['request'],
    client = '',
  ): RequestOptions {
    const place = this.#placeOf(url);
    const isRead = isUint8Array(body);
    const headers = withoutHeaders(rawHeaders, isRead ? notWithBody : notInRequest);
    if (host === undefined) headers.push('host', place.host);
    if (isRead) headers.push('content-length', String(body.length));
    headers.push(peerHeader, this.#options.codes.ofRequest(url, client));
    return {
      agent: this.#agent,
      ...place,
      method,
      path: `${this.#options.basePath}${stripOrigin(path)}`,
      headers,
    };
  }

  #placeOf(url: string): { readonly host: string; readonly port: string } {
    const known = this.#places.get(url);
    if (known !== undefined) return known;
    const { hostname, port } = new URL(url);
    const place = { host: hostname.replaceAll(/[[\]]/g, ''), port: port || '80' };
    this.#places.set(url, place);
    return place;
  }
}

/** Closes connections that were not used for `maxUnused`. A time-out of each of them would delay every request. */
function closeUnused(agent: Agent): NodeJS.Timeout {
  let before = new Map<Socket, number>();
  return setInterval(() => {
    const free = Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? []);
    for (const socket of free) if (before.get(socket) === socket.bytesWritten) socket.destroy();
    before = new Map(free.map((socket) => [socket, socket.bytesWritten]));
  }, maxUnused / 2).unref();
}

/** Headers that apply to one connection only. */
const hopHeaders = new Set(['connection', 'keep-alive', 'trailer', 'transfer-encoding']);

const notInResponse = new Set([...hopHeaders, peerHeader]);

const notInRequest = new Set([...hopHeaders, 'expect']);

/** Headers that do not apply to a body that was read. */
const notWithBody = new Set([...notInRequest, 'content-encoding', 'content-length']);

/** Returns names and values, as they were received, without those of some headers. */
function withoutHeaders(raw: readonly string[], names: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]!;
    if (!names.has(name.toLowerCase())) kept.push(name, raw[at + 1]!);
  }
  return kept;
}

/** Whether a connection was made, so that the server can have received the request. */
function wasReached({ code = '', syscall }: NodeJS.ErrnoException): boolean {
  if (syscall === 'connect') return false;
  return !['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'].includes(code);
}

/** In bytes. */
const maxText = 65_536;

async function relay(
  answer: IncomingMessage,
  response: ServerResponse,
  added: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const { statusCode = 502, headers } = answer;
  const kept = withoutHeaders(answer.rawHeaders, notInResponse);
  for (const [name, value] of Object.entries(added)) kept.push(name, value);
  response.writeHead(statusCode, kept);
  await new Promise((resolve) => {
    answer.on('data', (chunk: Buffer) => {
      // One text with the headers takes one write.
      if (String(chunk.length) === headers['content-length'] && chunk.length <= maxText)
        response.end(chunk.toString('latin1'), 'latin1');
      else if (!response.write(chunk)) {
        answer.pause();
        endUnlessRead(response);
      }
    });
    response.on('drain', () => answer.resume());
    answer.once('end', () => resolve(response.writableEnded || response.end()));
    // The owner ended in the middle of its response.
    answer.once('error', () => resolve(response.destroy()));
  });
  return 'sent';
}
