import type {
  Agent,
  IncomingHttpHeaders,
  IncomingMessage,
  RequestOptions,
  ServerResponse,
} from 'node:http';
import { dropHeader, forwardedHeader } from '../http/send.ts';
import { stripOrigin } from '../../sessions/request-target.ts';

/** The address of the client, as the forwarding server knows it. */
export const clientHeader = 'x-backlot-client';
/** Marks the response of a server that is not the owner. */
export const misdirectedHeader = 'x-backlot-misdirected';

/** A request to be forwarded, with its body. */
export interface Exchange {
  readonly request: IncomingMessage & { readonly body?: unknown };
  readonly response: ServerResponse;
  readonly client: string | undefined;
  /** Headers to add to the response. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * What became of a forwarded request: its response was sent to the client; the server is not the owner; the server was
 * not reached; it closed an idle connection at the moment when the request was sent; or the connection ended before a
 * response, so that the request may have been performed.
 */
export type Outcome = 'sent' | 'misdirected' | 'unreached' | 'closed' | 'lost';

export interface ForwardOptions {
  readonly secret: string;
  /** Path in front of every path. */
  readonly basePath: string;
  /** How long to wait for a response before `isAlive` is asked, in milliseconds. */
  readonly patience: number;
}

/** Forwards requests to other servers, over connections that are kept open. */
export class Forwarder {
  readonly #options: ForwardOptions;
  readonly #agent: Agent;

  constructor(options: ForwardOptions) {
    this.#options = options;
    const { Agent: HttpAgent } = process.getBuiltinModule('node:http');
    this.#agent = new HttpAgent({ keepAlive: true, maxFreeSockets: 256, scheduling: 'lifo' });
  }

  /** @param isAlive whether the server still has its lease: a server that is suspended answers nothing */
  async forward(
    url: string,
    { request, response, client, headers = {} }: Exchange,
    isAlive: () => Promise<boolean>,
  ): Promise<Outcome> {
    const { request: send } = process.getBuiltinModule('node:http');
    const upstream = send(url, this.#optionsOf(request, client));
    let isGivenUp = false;
    const giveUp = (alive: boolean): void => {
      if (alive) return;
      isGivenUp = true;
      upstream.destroy();
    };
    const check = (): void => void isAlive().then(giveUp, () => undefined);
    const watch = setInterval(check, this.#options.patience);
    const close = (): void => void upstream.destroy();
    response.once('close', close);
    try {
      return await new Promise<Outcome>((resolve) => {
        upstream.once('response', (answer) => resolve(relay(answer, response, headers)));
        upstream.once('error', (error: NodeJS.ErrnoException) => {
          const isIdle = upstream.reusedSocket && !isGivenUp;
          if (response.destroyed) resolve('sent');
          else if (!wasReached(error)) resolve('unreached');
          else resolve(isIdle ? 'closed' : 'lost');
        });
        upstream.end(request.body instanceof Uint8Array ? request.body : undefined);
      });
    } finally {
      clearInterval(watch);
      response.off('close', close);
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #optionsOf(request: Exchange['request'], client = ''): RequestOptions {
    const headers = withoutHopHeaders(request.headers);
    delete headers['content-encoding'];
    delete headers['expect'];
    const { body } = request;
    return {
      agent: this.#agent,
      method: request.method,
      path: `${this.#options.basePath}${stripOrigin(request.url ?? '/')}`,
      headers: {
        ...headers,
        ...(body instanceof Uint8Array && { 'content-length': body.length }),
        [forwardedHeader]: this.#options.secret,
        [clientHeader]: client,
      },
    };
  }
}

/** Returns headers without those that apply to one connection only. */
function withoutHopHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const own = { ...headers };
  for (const name of ['connection', 'keep-alive', 'transfer-encoding']) delete own[name];
  return own;
}

/** Whether a connection was made, so that the server can have received the request. */
function wasReached({ code = '' }: NodeJS.ErrnoException): boolean {
  return !['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'].includes(code);
}

async function relay(
  answer: IncomingMessage,
  response: ServerResponse,
  added: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const { statusCode = 502, headers } = answer;
  if (headers[misdirectedHeader] !== undefined) {
    answer.resume();
    return 'misdirected';
  }
  if (headers[dropHeader] !== undefined) {
    answer.resume();
    response.req.socket.destroy();
    return 'sent';
  }
  response.writeHead(statusCode, { ...withoutHopHeaders(headers), ...added });
  await new Promise((resolve) => {
    answer.on('data', (chunk) => response.write(chunk));
    answer.once('end', () => resolve(response.end()));
    // The owner ended in the middle of its response.
    answer.once('error', () => resolve(response.destroy()));
  });
  return 'sent';
}
