import { locate } from '../engine/definition/api-router.ts';
import type { Interceptor, ObservedOffice } from '../engine/office/interceptor.ts';
import type { ApiRequest } from '../engine/rest/message.ts';
import { isSameCall, type Call } from './calls.ts';
import { endpointNames } from './endpoint-names.ts';
import { Evidence } from './evidence.ts';
import { preferenceOf, type FaultName } from './fault-names.ts';
import type { PageHost } from './page-texts.ts';
import { ReceivedBodies, type Source } from './received-bodies.ts';
import { ResponseOrder } from './response-order.ts';
import { SentRequests, type ClientCall, type ClientRequest } from './sent-requests.ts';
import type { PlainRun, ReceivedResponse, Trial } from './trials.ts';

/** The request that has a fault, or the first of those whose responses have another order. */
export interface Hit {
  /** Undefined for a request that no back office of Backlot answers. */
  readonly office: ObservedOffice | undefined;
  readonly call: Call;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** What the page shows when it is sent. */
  readonly shown: readonly string[] | undefined;
  /** Sends its response, if that is held. */
  release(): void;
}

/** One run of a test, in which one thing is wrong: that of its trial. */
export class WatchedRun implements Interceptor {
  readonly trial: Trial | undefined;
  /** The file of the test. */
  readonly file: string;
  /** The request that has the fault of the trial, once it is sent. */
  hit: Hit | undefined;
  /** The global object of the test. */
  readonly host: PageHost;
  readonly requests: SentRequests;
  readonly evidence = new Evidence();
  readonly bodies: ReceivedBodies;
  /** The responses, if they are held. */
  readonly responses: ResponseOrder | undefined;

  /** @param isRemote whether the page of the test is in another process */
  constructor(trial?: Trial, host: PageHost = globalThis, { file = '', isRemote = false } = {}) {
    this.trial = trial;
    this.file = file;
    this.host = host;
    this.requests = new SentRequests(host);
    this.bodies = new ReceivedBodies(trial, file);
    if (trial !== undefined && 'order' in trial)
      this.responses = new ResponseOrder(trial.order, isRemote);
  }

  /** Returns what the client of a request receives. */
  readonly answer: Interceptor['answer'] = (office, request, next) => {
    const { method, url } = request;
    const endpoint = endpointOf(office, request);
    const noted = this.requests.add(endpoint, request);
    const call = this.requests.callOf(noted);
    const shown = this.requests.show();
    if (this.hit !== undefined) this.evidence.repeat(endpoint, request);
    const fault = this.#faultOf(call, false);
    const hit = { office, call, method, url, shown, release: () => void office.releaseAll() };
    if (fault !== undefined) this.hit = hit;
    else if (this.responses?.isNamed(call) === true) this.hit ??= hit;
    const prefer = fault && preferenceOf(fault);
    const sent =
      prefer === undefined ? request : { ...request, headers: { ...request.headers, prefer } };
    const answer = next(sent);
    noted.status = answer.status;
    this.evidence.receive(endpoint, sent, answer);
    const source = { subject: `${endpoint} ${answer.status}`, office };
    const received =
      answer.body === undefined
        ? answer
        : { ...answer, body: this.bodies.inPlaceOf(answer.body, url, source) };
    return this.responses?.hold(call, sent, received) ?? received;
  };

  /** Notes a request that a client sends. */
  sendFromClient(request: ClientRequest): ClientCall {
    const { method, url } = request;
    const shown = this.requests.show();
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    const isAfterHit = this.hit !== undefined;
    const state = { fault: undefined, isAfterHit, released, isSettled: false, isTaken: false };
    const noted: ClientCall = { ...request, ...state };
    this.requests.addOfClient(noted);
    const call = this.requests.callOf(noted);
    noted.fault = this.#faultOf(call, true);
    if (noted.fault !== undefined)
      this.hit = { office: undefined, call, method, url, shown, release: () => release(undefined) };
    return noted;
  }

  /** Returns the fault of a call, if it is that of the trial. */
  #faultOf(call: Call, isOutside: boolean): FaultName | undefined {
    const { trial } = this;
    if (trial === undefined || !('fault' in trial) || trial.isOutside !== isOutside)
      return undefined;
    return isSameCall(trial, call) ? trial.fault : undefined;
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

  /** The responses that no back office has sent. */
  get received(): ReceivedResponse[] {
    const calls = this.requests.outside.map(
      ({ method, origin = '', url, status = 0, body, sent }): ReceivedResponse => {
        return { method, url: origin + url, status, body, sent };
      },
    );
    return [...calls, ...this.bodies.made];
  }

  /**
   * Returns what the test does.
   *
   * @param texts what its page shows at the end
   * @param showsError whether this says that something went wrong
   */
  plain(texts: readonly string[] | undefined, showsError = false): PlainRun {
    const { all, outside, shown } = this.requests;
    const { uncaught, logged, expectations, writes } = this.evidence;
    const read = this.bodies.subjects
      .filter(({ fields }) => fields.length > 0)
      .map(({ subject }) => subject.slice(0, subject.lastIndexOf(' ')));
    return {
      calls: all.map(({ endpoint }) => endpoint),
      statuses: all.map(({ status }) => status ?? null),
      lines: all.map(({ at }) => at ?? null),
      read: [...new Set(read)],
      showsError,
      uncaught,
      logged,
      hasExpectations: expectations.length > 0,
      outside: outside.map(({ endpoint }) => endpoint),
      shown: texts && [...new Set([...shown, ...texts])],
      writes,
    };
  }
}

/** Returns the name of an endpoint; of a request that reaches none, the method and the path without its ids. */
function endpointOf({ shop }: ObservedOffice, request: ApiRequest): string {
  const { method } = request;
  const { path, row } = locate(shop.api, request);
  return row === undefined ? nameOf(method, path) : `${method} ${row.path}`;
}

const nameOf = endpointNames();
