import type { BeginOptions } from '../control/endpoint.ts';
import { costOf } from '../control/endpoints/index.ts';
import { isBegin } from '../control/guard.ts';
import { isControl } from '../lib/api-path.ts';
import { Problem } from '../lib/problem.ts';
import type { BackOffice } from '../office/open-back-office.ts';
import { problemResponse } from '../rest/errors.ts';
import {
  mapResponse,
  noticeHeader,
  withHeaders,
  type ApiResponse,
  type ApiRequest,
  type RequestTarget,
} from '../rest/message.ts';
import { prefixLinks } from '../rest/page.ts';
import type { ReadyScenario } from '../scenario/scenario.ts';
import { ControlApi, type OfficeWithHeaders } from './control-api.ts';
import { Metrics, type StoreCount } from './metrics.ts';
import { endedPage, isForPage, withNotice } from './notices.ts';
import { shareOf } from './rate-limit.ts';
import {
  cookieOf,
  isRead,
  parseRequestTarget,
  nameless,
  sessionHeader,
  sessionIn,
  showsShop,
  withinSession,
  type ServerRequest,
} from './request-target.ts';
import { moveData, type CarryOver, type ReplacedApi } from './replaced-api.ts';
import { newNameOf, type SessionOptions } from './session-options.ts';
import { SessionPool } from './session-pool.ts';
import { isUnattended, unattendedBegin } from './unattended.ts';

export type { SessionOptions } from './session-options.ts';

/**
 * Opens a server with a shared back office, one back office for each session, and the control API.
 *
 * @throws Problem `invalid` for limits that contradict each other
 */
export function openSessions(shared: BackOffice, options: SessionOptions = {}): Server {
  return new Server(shared, options);
}

/** The parts of a request that are known before its body is read. */
export interface RequestHead extends Pick<ApiRequest, 'headers' | 'client'> {
  readonly target: RequestTarget;
}

/** A server in plain values: requests in, responses out, for the shared back office and all sessions. */
export class Server {
  /** The back office of requests without a session. `replaceApi` replaces it. */
  shared: BackOffice;
  readonly sessions: SessionPool;
  /** Whether a limit depends on the addresses of clients. */
  readonly countsClients: boolean;
  readonly #options: SessionOptions;
  readonly #isOwn: boolean;
  readonly #newName: () => string;
  readonly #now: () => number;
  #metrics: Metrics;
  #control: ControlApi;
  /** Is aborted when another API replaces this one. */
  #replaced = new AbortController();
  #scenario: ReadyScenario;
  #isReady = true;
  #isStoreAvailable = (): boolean => true;

  constructor(shared: BackOffice, options: SessionOptions) {
    this.shared = shared;
    this.#metrics = new Metrics(shared.shop.api);
    this.#options = options;
    this.#isOwn = options.sessions === 'own';
    this.countsClients = options.requestRate !== undefined || (options.clientShare ?? 100) < 100;
    this.#newName = newNameOf(options);
    this.#scenario = shared.scenario;
    this.sessions = new SessionPool(
      (name, scenario) => this.shared.sibling(name, scenario ?? this.#scenario),
      options,
    );
    this.#now = options.milliseconds ?? (() => 0);
    this.#control = this.#openControl();
  }

  /**
   * Serves a request. A Problem becomes its response; a defect outside of any office is thrown. The response of a long poll or a hold has a `deferred` one.
   *
   * @param options.admitted whether `admit` has counted the request
   */
  answer(request: ServerRequest, { admitted = false }: { admitted?: boolean } = {}): ApiResponse {
    const start = this.#now();
    const target = request.target ?? parseRequestTarget(request.url, request.headers);
    let answer: ApiResponse;
    try {
      if (!admitted) this.#count(target, request.client);
      const instead = this.#answerInstead(request, target);
      if (instead !== undefined) answer = instead;
      else if (isControl(target.path)) {
        answer = this.#control.answer(request, target, {
          choose: () => this.#choose(request, target),
          begin: (how) => this.#begin(request, target, how),
        });
        if (answer.events) {
          answer = { ...answer, events: { ...answer.events, signal: this.#replaced.signal } };
        }
      } else {
        const { office, headers } = this.#choose(request, target);
        const sent = withinSession(request, target);
        const isTraceless = this.#isOwn && (office === this.shared || isUnattended(request));
        answer = isTraceless ? office.dryRun(sent) : office.answer(sent);
        const prefix = `${request.basePath ?? ''}${target.prefix}`;
        answer = mapResponse(answer, (one) =>
          prefixLinks(withHeaders(one, headers), prefix, office.shop.api.path),
        );
      }
      answer = withNotice(request, target, answer, this.shared.shop.api);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      answer = withNotice(request, target, problemResponse(error), this.shared.shop.api);
    }
    this.#metrics.count(request.method, target.path, answer.status, this.#now() - start);
    return answer;
  }

  /**
   * Counts a request for the rate limit of its session or client, before its body is read.
   *
   * @returns the response to a request beyond the limit
   */
  admit({ target, client }: RequestHead): ApiResponse | undefined {
    if (this.#options.requestRate === undefined) return undefined;
    try {
      this.#count(target, client);
      return undefined;
    } catch (error) {
      if (error instanceof Problem) return problemResponse(error);
      throw error;
    }
  }

  /** Returns the maximum share of a total for one client. */
  shareOf(total: number): number {
    return shareOf(total, this.#options.clientShare);
  }

  /** Returns the maximum body size of a request in bytes; 0 if any body is rejected. */
  maxBodyBytes({ url, headers, target }: Pick<ApiRequest, 'url' | 'headers' | 'target'>): number {
    const { path, session } = target ?? parseRequestTarget(url, headers);
    if (isControl(path)) return this.#control.maxBodyBytes(path, headers);
    const own = session === undefined ? undefined : this.sessions.peek(session);
    const { settings } = (own ?? this.shared).shop;
    return Math.min(settings.maxBodyBytes, this.#options.maxBodyBytes ?? Infinity);
  }

  /** Resets the shared back office and removes all sessions. */
  resetAll(): void {
    this.sessions.clear('the server was reset');
    // Where each visitor has a session, all snapshots of the shared back office are those that the owner has published.
    if (!this.#isOwn) this.shared.snapshots.clear();
    this.shared.reset(this.#scenario);
    // With a history, a reset could be undone.
    this.shared.journal.clear();
  }

  /** Prepares, step by step, what would delay the first readers: the indexes of a scenario with many orders. */
  *warmUpReads(): Generator<void, void> {
    // Back offices of the same scenario share its indexes.
    const office = this.shared.sibling('warm-up', this.#scenario);
    for (const url of office.shop.api.control?.parts().overview.lists ?? []) {
      office.requestUnobserved({ method: 'GET', url, headers: {} });
      yield;
    }
  }

  /**
   * Replaces the scenario of the server, resets the shared back office to it and removes all sessions.
   *
   * @returns the number of sessions that ended
   * @throws Problem `invalid` if the scenario cannot be opened; then nothing changes
   */
  replaceScenario(scenario: ReadyScenario): number {
    this.shared.reset(scenario);
    this.#scenario = scenario;
    return this.sessions.clear('the scenario of the server has changed');
  }

  /**
   * Replaces the API of the server. The shared back office and sessions whose data fit it keep them.
   *
   * @param shared the shared back office of the other API
   * @param carryOver moves data, or returns why they do not fit
   * @returns why the shared back office was reset, and why each session has ended that has
   */
  replaceApi(shared: BackOffice, carryOver: CarryOver): ReplacedApi {
    const before = this.shared;
    this.shared = shared;
    this.#scenario = shared.scenario;
    this.#metrics = new Metrics(shared.shop.api);
    this.#control = this.#openControl();
    const find = (name: string): ReadyScenario => this.scenario(name);
    const replaced = moveData(before, shared, this.sessions, (from, to) =>
      carryOver(from, to, find),
    );
    this.#replaced.abort();
    this.#replaced = new AbortController();
    return replaced;
  }

  /** Returns a scenario that sessions can begin with. @throws Problem `missing` */
  scenario(name: string): ReadyScenario {
    return this.#control.server.scenario(name);
  }

  /** Counts what a store of sessions does, for the metrics. */
  countStore: StoreCount = (...done) => this.#metrics.countStore(...done);

  /** Sets whether the next request will be answered, for clients that check `health?ready` (default: true). */
  setReady(isReady: boolean): void {
    this.#isReady = isReady;
  }

  /** Has the server be ready only while a store of sessions can be used. */
  requireStore(isAvailable: () => boolean): void {
    this.#isStoreAvailable = isAvailable;
  }

  /** Prepares, step by step, what would delay a first request: each scenario, reads, the OpenAPI document, an import. */
  *warmUp(): Generator<void, void> {
    const { server } = this.#control;
    for (const { name } of server.scenarios()) {
      this.shared.sibling('warm-up', server.scenario(name));
      yield;
    }
    yield* this.warmUpReads();
    yield* this.#control.server.warmUp();
    yield;
    // The first imports compile the schemas of records, and what checks them.
    const office = this.shared.sibling('warm-up', this.#scenario);
    const file = JSON.stringify(office.export());
    for (let count = 0; count < 4; count++) {
      office.import(JSON.parse(file));
      yield;
    }
  }

  #openControl(): ControlApi {
    return new ControlApi(this.shared, this.sessions, this.#options, {
      isReady: () => this.#isReady && this.#isStoreAvailable(),
      metrics: () => {
        const { length: open } = this.sessions.list();
        return this.#metrics.format({ open, evicted: this.sessions.evictions });
      },
      scenario: () => this.#scenario,
    });
  }

  #count({ session, path }: RequestTarget, client: string | undefined): void {
    if (this.#options.requestRate === undefined) return;
    const cost = isControl(path) ? costOf(this.shared.shop.api, path) : 1;
    this.sessions.count(session, client, cost);
  }

  #choose(request: ServerRequest, { session, path }: RequestTarget): OfficeWithHeaders {
    const { method, client } = request;
    if (session !== undefined) return this.#useSession(session, client);
    if (this.#options.sessions === 'required') throw nameless(this.shared.shop.api.path);
    const shared: OfficeWithHeaders = { office: this.shared };
    if (!this.#isOwn) return shared;
    const name = this.#newName();
    // Reads get no session, because a client without cookies would open one with each of them.
    const chosen = isRead(method, path) ? shared : this.#useSession(name, client);
    return { ...chosen, headers: { ...chosen.headers, 'set-cookie': cookieOf(name, request) } };
  }

  #begin(request: ServerRequest, target: RequestTarget, how: BeginOptions): OfficeWithHeaders {
    const { client, method, headers } = request;
    const { newName } = this.#options;
    if (method !== 'GET') {
      throw new Problem('not allowed', 'Only GET begins a session.', { headers: { allow: 'GET' } });
    }
    if (newName === undefined) {
      throw new Problem('refused', 'This server makes no names for sessions: it has no `newName`.');
    }
    if (target.prefix !== '') {
      throw new Problem(
        'refused',
        `A link begins a session by cookie. Leave out ${target.prefix} in its path.`,
      );
    }
    const left = this.#isOwn ? sessionIn(headers['cookie'] ?? '') : undefined;
    const { scenario = this.#scenario, snapshot, isForOtherOrigin = false } = how;
    const name = newName();
    const opened = snapshot?.state.start.scenario ?? scenario;
    const office = this.sessions.open(name, opened, client, left);
    if (snapshot !== undefined) office.restore(snapshot);
    const isFromNamedOrigin = request.isFromNamedOrigin === true || isForOtherOrigin;
    const cookie = cookieOf(name, { ...request, isFromNamedOrigin });
    return { office, headers: { [sessionHeader]: name, 'set-cookie': cookie } };
  }

  /** Returns a response that depends on who sends a request, and not on any shop. */
  #answerInstead(request: ServerRequest, target: RequestTarget): ApiResponse | undefined {
    const ended = isForPage(request) ? this.#endedPage(request, target) : undefined;
    if (ended !== undefined || !isBegin(target.path)) return ended;
    const { sessions = 'optional' } = this.#options;
    return unattendedBegin(request, sessions === 'optional');
  }

  /** Returns the page for a visitor whose cookie names a session that the server has removed. */
  #endedPage(request: ServerRequest, { prefix, path }: RequestTarget): ApiResponse | undefined {
    const { cookie } = request.headers;
    if (cookie === undefined || prefix !== '' || !showsShop(path)) return undefined;
    const reason = this.sessions.reasonOfEnd(sessionIn(cookie) ?? '');
    return reason === undefined ? undefined : endedPage(request, reason);
  }

  #useSession(name: string, client: string | undefined): OfficeWithHeaders {
    const { office, notice } = this.sessions.use(name, client);
    const headers: Record<string, string> = { [sessionHeader]: name };
    if (notice !== undefined) headers[noticeHeader] = notice;
    return { office, headers };
  }
}
