import { routerOf } from '../engine/definition/api-router.ts';
import type { BackOffice } from '../engine/office/back-office.ts';
import type { Interceptor } from '../engine/office/interceptor.ts';
import { parseTarget } from '../engine/rest/serve.ts';
import type { ApiRequest, ApiResponse } from '../engine/rest/message.ts';
import { isRead, isSameCall, type Call } from './calls.ts';
import { endpointNames } from './endpoint-names.ts';
import { preferenceOf, type FaultName } from './fault-names.ts';
import { pageTexts, type PageHost } from './page-texts.ts';
import { ReceivedBodies, type Source } from './received-bodies.ts';
import { ResponseOrder } from './response-order.ts';
import type { PlainRun, ReceivedResponse, Trial } from './trials.ts';
import type { Expectation } from './user-oracles.ts';

/** The request that has a fault, or the first of those whose responses have another order. */
export interface Hit {
  /** Undefined for a request that no back office of Backlot answers. */
  readonly office: BackOffice | undefined;
  readonly call: Call;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** What the page shows when it is sent. */
  readonly shown: readonly string[] | undefined;
  /** Sends its response, if that is held. */
  release(): void;
}

/** A request by the name of its endpoint. */
interface SentRequest {
  endpoint: string;
  /** The status of its response; 0 for one that has failed, and unset for one that its client has aborted. */
  status?: number | undefined;
}

/** A request as its client sends it. */
interface ClientRequest extends SentRequest {
  readonly method: string;
  /** Path and query string. */
  readonly url: string;
  /** The endpoints of its parts, if it is a batch: its response is a list of theirs. */
  readonly parts?: readonly string[] | undefined;
  /** `https://shop.test` */
  readonly origin?: string | undefined;
}

/** A request that a client has sent, which a back office of Backlot may answer. */
export interface ClientCall extends ClientRequest {
  /** What is wrong with it. */
  readonly fault: FaultName | undefined;
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

/** What one run of a test sends and receives, and what is wrong in it. */
export class WatchedRun {
  readonly trial: Trial | undefined;
  /** The responses, if they are held. */
  readonly responses: ResponseOrder | undefined;
  /** The request that has the fault of the trial, once it is sent. */
  hit: Hit | undefined;
  /** What the test has said to be right under faults. */
  readonly expectations: Expectation[] = [];
  /** Errors that nobody has caught. */
  readonly uncaught: string[] = [];
  /** How often each write is performed, by its endpoint, URL and body. */
  readonly writes: Record<string, number> = {};
  /** How often each request is sent since that with the fault, by its endpoint, URL and body. */
  readonly repeated: Record<string, number> = {};
  /** The last response to each GET, by its URL. */
  readonly reads = new Map<string, string>();
  readonly #calls: SentRequest[] = [];
  readonly #clientCalls: ClientCall[] = [];
  readonly #shown = new Set<string>();

  /** The global object of the test. */
  readonly host: PageHost;
  readonly bodies: ReceivedBodies;

  /** @param isRemote whether the page of the test is in another process */
  constructor(trial?: Trial, host: PageHost = globalThis, { file = '', isRemote = false } = {}) {
    this.trial = trial;
    this.host = host;
    this.bodies = new ReceivedBodies(trial, file);
    if (trial !== undefined && 'order' in trial)
      this.responses = new ResponseOrder(trial.order, isRemote);
  }

  /** Notes a request, and returns what is sent in its place: that of the trial has a fault. */
  send(
    office: BackOffice,
    endpoint: string,
    request: ApiRequest,
  ): { readonly call: Call; readonly sent: ApiRequest; readonly noted: SentRequest } {
    const { method, url } = request;
    const client = this.#clientCalls.find(
      (one) => !one.isSettled && !one.isTaken && one.method === method && one.url.endsWith(url),
    );
    const noted: SentRequest = client ?? { endpoint };
    if (client === undefined) this.#calls.push(noted);
    else Object.assign(client, { endpoint, isTaken: true });
    const shown = this.#show();
    if (this.hit !== undefined) increase(this.repeated, keyOf(endpoint, request));
    const call = this.#callOf(noted);
    const release = (): void => void office.releaseAll();
    const hit = { office, call, method, url, shown, release };
    if (this.#isOrdered(call)) this.hit ??= hit;
    const fault = this.#faultOf(call, false);
    if (fault === undefined) return { call, sent: request, noted };
    this.hit = hit;
    const headers = { ...request.headers, prefer: preferenceOf(fault) };
    return { call, sent: { ...request, headers }, noted };
  }

  /** Notes a request that a client sends. */
  sendFromClient({ endpoint, method, url, parts, origin }: ClientRequest): ClientCall {
    const shown = this.#show();
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    const isAfterHit = this.hit !== undefined;
    const request = { endpoint, method, url, parts, origin };
    const call = { ...request, isAfterHit, released, isSettled: false, isTaken: false };
    this.#calls.push(call);
    const sent = this.#callOf(call);
    const fault = this.#faultOf(sent, true);
    if (fault !== undefined) {
      const hit = { office: undefined, call: sent, method, url, shown };
      this.hit = { ...hit, release: () => release(undefined) };
    }
    const known: ClientCall = Object.assign(call, { fault });
    this.#clientCalls.push(known);
    return known;
  }

  #show(): readonly string[] | undefined {
    const shown = pageTexts(this.host);
    for (const text of shown ?? []) this.#shown.add(text);
    return shown;
  }

  /** Returns which call of its endpoint a request is. Others may have been sent since. */
  #callOf(noted: SentRequest): Call {
    const { endpoint } = noted;
    const until = this.#calls.slice(0, this.#calls.indexOf(noted) + 1);
    return { endpoint, nth: until.filter((one) => one.endpoint === endpoint).length };
  }

  /** Whether the response to a call has a place in the order of the trial. */
  #isOrdered(call: Call): boolean {
    const { trial } = this;
    if (trial === undefined || !('order' in trial)) return false;
    return trial.order.length === 0 || trial.order.some((one) => isSameCall(one, call));
  }

  /** Returns the fault of a call, if it is that of the trial. */
  #faultOf(call: Call, isOutside: boolean): FaultName | undefined {
    const { trial } = this;
    if (trial === undefined || !('fault' in trial) || trial.isOutside !== isOutside)
      return undefined;
    return isSameCall(trial, call) ? trial.fault : undefined;
  }

  /**
   * Notes that a client's request has ended.
   *
   * @param body undefined if it cannot be told from others
   * @param status 0 if the request has failed, and undefined if its client has aborted it
   */
  async settle(
    call: ClientCall,
    body: Promise<string | undefined>,
    status: number | undefined,
  ): Promise<void> {
    call.isSettled = true;
    call.status ??= status;
    const text = await body;
    if (call.isTaken || text === undefined) return;
    const key = keyOf(call.endpoint, { url: call.url, body: text });
    if (call.isAfterHit) increase(this.repeated, key);
    if (!isRead(call) && isSuccess(status)) increase(this.writes, key);
  }

  /** The endpoints of requests, after the one with the fault, that nobody has answered. */
  get unanswered(): readonly string[] {
    return this.#clientCalls
      .filter(({ isAfterHit, isSettled }) => isAfterHit && !isSettled)
      .map(({ endpoint }) => endpoint);
  }

  /** Notes the body of a response that no back office has sent, and returns what the client receives in its place. */
  receiveAtClient(call: ClientCall, status: number, body: string): string {
    const { endpoint, parts, url } = call;
    call.body = body;
    const sourceOf = (name: string): Source => ({ subject: `${name} ${status}` });
    return parts === undefined
      ? this.bodies.inPlaceOf(body, url, sourceOf(endpoint))
      : this.bodies.inPlaceOfBatch(body, url, parts.map(sourceOf));
  }

  /** Notes a response, and returns what the client receives in its place. */
  receive(
    office: BackOffice,
    endpoint: string,
    request: ApiRequest,
    answer: ApiResponse,
  ): ApiResponse {
    const { method, url } = request;
    if (method !== 'GET' && isPerformed(request, answer))
      increase(this.writes, keyOf(endpoint, request));
    const { body } = answer;
    if (body === undefined) return answer;
    if (method === 'GET' && answer.status === 200) this.reads.set(url, body);
    const subject = `${endpoint} ${answer.status}`;
    return { ...answer, body: this.bodies.inPlaceOf(body, url, { subject, office }) };
  }

  /** Defers a response if responses are held, and it has no wait of its own. */
  hold(call: Call, { delivery }: ApiRequest, answer: ApiResponse): ApiResponse {
    const ownWait = answer.deferred ?? answer.delay ?? answer.events;
    if (delivery === undefined || ownWait !== undefined) return answer;
    return this.responses?.hold(call, answer) ?? answer;
  }

  /** The responses that no back office has sent. */
  get received(): ReceivedResponse[] {
    const calls = this.#clientCalls.filter(({ isTaken }) => !isTaken);
    return [
      ...calls.map(({ method, origin = '', url, status = 0, body }) => {
        return { method, url: origin + url, status, body };
      }),
      ...this.bodies.made,
    ];
  }

  /**
   * Returns what the test does.
   *
   * @param texts what its page shows at the end
   * @param showsError whether this says that something went wrong
   */
  plain(texts: readonly string[] | undefined, showsError = false): PlainRun {
    const read = this.bodies.subjects
      .filter(({ fields }) => fields.length > 0)
      .map(({ subject }) => subject.slice(0, subject.lastIndexOf(' ')));
    return {
      calls: this.#calls.map(({ endpoint }) => endpoint),
      statuses: this.#calls.map(({ status }) => status ?? null),
      read: [...new Set(read)],
      showsError,
      uncaught: this.uncaught,
      hasExpectations: this.expectations.length > 0,
      outside: this.#clientCalls.filter(({ isTaken }) => !isTaken).map(({ endpoint }) => endpoint),
      shown: texts && [...new Set([...this.#shown, ...texts])],
      writes: this.writes,
    };
  }
}

/** Passes requests to back offices on to the run of the test that has sent them. */
export class Watcher implements Interceptor {
  readonly #current: (office: BackOffice) => WatchedRun | undefined;

  /** @param current returns the run of a test that is in progress */
  constructor(current: (office: BackOffice) => WatchedRun | undefined) {
    this.#current = current;
  }

  answer(
    office: BackOffice,
    request: ApiRequest,
    next: (request: ApiRequest) => ApiResponse,
  ): ApiResponse {
    const run = this.#current(office);
    if (run === undefined) return next(request);
    const endpoint = endpointOf(office, request);
    const { call, sent, noted } = run.send(office, endpoint, request);
    const answer = run.receive(office, endpoint, sent, next(sent));
    noted.status = answer.status;
    return run.hold(call, sent, answer);
  }
}

/** Returns the name of an endpoint; of a request that reaches none, the method and the path without its ids. */
function endpointOf({ shop }: BackOffice, { method, url }: ApiRequest): string {
  const { path } = parseTarget(url);
  const [row] = routerOf(shop.api).find(path)?.route.methods.get(method) ?? [];
  return row === undefined ? nameOf(method, path) : `${method} ${row.path}`;
}

const nameOf = endpointNames();

function increase(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

function keyOf(endpoint: string, { url, body }: Pick<ApiRequest, 'url' | 'body'>): string {
  return `${endpoint} ${url} ${typeof body === 'string' ? body : JSON.stringify(body ?? '')}`;
}

/** Whether a request has been performed, whatever its client receives. */
function isPerformed({ headers }: ApiRequest, { status, connection }: ApiResponse): boolean {
  return connection === 'drop' ? headers['prefer']?.includes('after') === true : isSuccess(status);
}

function isSuccess(status = 0): boolean {
  return status >= 200 && status < 300;
}
