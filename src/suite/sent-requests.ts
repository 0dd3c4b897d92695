import type { ApiRequest } from '../engine/rest/message.ts';
import type { SourceLine } from './callers.ts';
import type { Call } from './calls.ts';
import type { FaultName } from './fault-names.ts';
import { pageTexts, type PageHost } from './page-texts.ts';

/** A request by the name of its endpoint. */
interface SentRequest {
  endpoint: string;
  readonly method: string;
  /** Path and query string. */
  readonly url: string;
  /** The status of its response; 0 for one that has failed, and unset for one that its client has aborted. */
  status?: number | undefined;
  /** The line of the code under test that has sent it, if it is known. */
  readonly at?: SourceLine | undefined;
}

/** A request that a client has sent, which a back office of Backlot may answer. */
export interface ClientCall extends SentRequest {
  /** The endpoints of its parts, if it is a batch: its response is a list of theirs. */
  readonly parts?: readonly string[] | undefined;
  /** `https://shop.test` */
  readonly origin?: string | undefined;
  /** Its text, if it sends operations of GraphQL. */
  readonly sent?: string | undefined;
  /** What is wrong with it. */
  fault: FaultName | undefined;
  /** Whether a request with a fault was sent before. */
  readonly isAfterHit: boolean;
  /** Resolves when a held response is to be sent. */
  readonly released: Promise<unknown>;
  isSettled: boolean;
  /** What its client has read of its response. */
  body?: string | undefined;
  /** Whether a back office of Backlot has received it, where all the rest is seen. */
  isTaken: boolean;
}

/** A request as its client sends it. */
export type ClientRequest = Pick<
  ClientCall,
  'endpoint' | 'method' | 'url' | 'parts' | 'origin' | 'sent' | 'at'
>;

/** Records the requests of a run of a test, in the order in which they are sent, and what its page shows then. */
export class SentRequests {
  readonly all: SentRequest[] = [];
  readonly #ofClients: ClientCall[] = [];
  /** All that the page has shown when a request was sent. */
  readonly shown = new Set<string>();
  readonly #host: PageHost;

  constructor(host: PageHost) {
    this.#host = host;
  }

  /** Adds a request that a back office receives, unless a client was seen to send it. */
  add(endpoint: string, { method, url }: ApiRequest): SentRequest {
    const client = this.#ofClients.find(
      (one) => !one.isSettled && !one.isTaken && one.method === method && one.url.endsWith(url),
    );
    if (client !== undefined) return Object.assign(client, { endpoint, isTaken: true });
    const request = { endpoint, method, url };
    this.all.push(request);
    return request;
  }

  addOfClient(call: ClientCall): void {
    this.all.push(call);
    this.#ofClients.push(call);
  }

  /** Returns what the page shows now. */
  show(): readonly string[] | undefined {
    const shown = pageTexts(this.#host);
    for (const text of shown ?? []) this.shown.add(text);
    return shown;
  }

  /** Returns which call of its endpoint a request is. Others may have been sent since. */
  callOf(request: SentRequest): Call {
    const { endpoint } = request;
    const until = this.all.slice(0, this.all.indexOf(request) + 1);
    return { endpoint, nth: until.filter((one) => one.endpoint === endpoint).length };
  }

  /** Those that no back office of Backlot has received. */
  get outside(): readonly ClientCall[] {
    return this.#ofClients.filter(({ isTaken }) => !isTaken);
  }

  /** The endpoints of those, after the one with the fault, that nobody has answered. */
  get unanswered(): readonly string[] {
    const open = this.#ofClients.filter((one) => one.isAfterHit && !one.isSettled);
    return open.map(({ endpoint }) => endpoint);
  }
}
