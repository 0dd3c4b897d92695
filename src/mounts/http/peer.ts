import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isSameSecret } from '../../engine/lib/names.ts';

/**
 * The one header that servers of a store add to requests and responses between them. It has a code that only they can
 * compute, so nobody else can say what it says. It is removed where it arrives, before anything can record it.
 */
export const peerHeader = 'x-backlot-peer';

/** The message to a server that has forwarded a request, in place of a response for the client. */
export type PeerAnswer =
  /** This server is not the owner of the session. It has not performed the request. */
  | 'misdirected'
  /** The connection of the client is to be closed, as a fault demands. */
  | 'drop';

/** The server that has forwarded a request. */
interface Peer {
  /** The address of the client, as that server knows it. */
  readonly client: string;
  readonly codes: PeerCodes;
}

const peer = Symbol('peer');

interface PeerRequest extends IncomingMessage {
  [peer]?: Peer;
}

/** Returns the server that has forwarded a request; undefined for a request of a client. */
export function peerOf(request: PeerRequest): Pick<Peer, 'client'> | undefined {
  return request[peer];
}

/** Sends a server what only a server can understand. Returns whether a server has sent the request. */
export function answerPeer(response: ServerResponse, answer: PeerAnswer): boolean {
  const { [peer]: from }: PeerRequest = response.req;
  if (from === undefined) return false;
  response.writeHead(421, { [peerHeader]: from.codes.ofOwnAnswer(answer) }).end();
  return true;
}

/** The codes by which servers of one store recognise each other: HMACs (RFC 2104) with a secret that is never sent. */
export class PeerCodes {
  readonly #secret: () => string;
  readonly #own: string;
  /** By what they say. */
  readonly #codes = new Map<string, string>();
  #codesOf = '';

  /**
   * @param secret returns the secret of the store
   * @param own where other servers reach this one; empty for nowhere
   */
  constructor(secret: () => string, own: string) {
    this.#secret = secret;
    this.#own = own;
  }

  /** Returns the header for a request to a server, with the address of the client. */
  ofRequest(url: string, client: string): string {
    return `${this.#code(`to ${url}`)} ${client}`;
  }

  /** Returns the answer of the server at a URL, if it is not just a response for the client. */
  answerOf(url: string, { headers }: IncomingMessage): PeerAnswer | undefined {
    const sent = headers[peerHeader];
    if (sent === undefined) return undefined;
    return (['misdirected', 'drop'] as const).find((answer) =>
      isSameSecret(String(sent), this.#code(`${answer} from ${url}`)),
    );
  }

  /** Removes the header from a request, and notes whether a server has sent it. Called before anything else reads it. */
  receive(request: PeerRequest): void {
    const sent = request.headers[peerHeader];
    if (sent === undefined) return;
    delete request.headers[peerHeader];
    const { rawHeaders } = request;
    for (let at = rawHeaders.length - 2; at >= 0; at -= 2)
      if (rawHeaders[at]!.toLowerCase() === peerHeader) rawHeaders.splice(at, 2);
    const [code = '', client = ''] = String(sent).split(' ');
    if (this.#own !== '' && isSameSecret(code, this.#code(`to ${this.#own}`)))
      request[peer] = { client, codes: this };
  }

  ofOwnAnswer(answer: PeerAnswer): string {
    return this.#code(`${answer} from ${this.#own}`);
  }

  #code(text: string): string {
    const secret = this.#secret();
    if (secret !== this.#codesOf) this.#codes.clear();
    this.#codesOf = secret;
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    const code = createHmac('sha256', secret).update(text).digest('base64url');
    this.#codes.set(text, code);
    return code;
  }
}
