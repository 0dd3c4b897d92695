import {
  type ControlContext,
  type ControlledServer,
  LongPolls,
  mapResponse,
} from '../control/endpoint.ts';
import { controlEndpoints } from '../control/endpoints/index.ts';
import {
  assertControlAllowed,
  isControl,
  isImport,
  mayControl,
  type ControlGuard,
} from '../control/guard.ts';
import { Problem } from '../lib/problem.ts';
import { reportToConsole, type BackOffice } from '../office/open-back-office.ts';
import { problemResponse } from '../rest/errors.ts';
import { prefixLinks, withLocation } from '../rest/page.ts';
import {
  headless,
  noticeHeader,
  withHeaders,
  type ApiResponse,
  type ApiRequest,
  type RequestTarget,
} from '../rest/message.ts';
import type { OpenApiDocument } from '../rest/openapi.ts';
import { withPrefix, openapi } from './openapi.ts';
import { createApiRouter } from '../rest/router.ts';
import { serve, type Host } from '../rest/serve.ts';
import { RestSettings } from '../rest/settings.ts';
import { builtInScenario, builtInScenarios } from '../scenario/built-in.ts';
import type { ReadyScenario } from '../scenario/scenario.ts';
import { shareOf } from './rate-limit.ts';
import { cookieOf, parseRequestTarget, sessionHeader, stripOrigin } from './request-target.ts';
import { SessionPool, type SessionLimits } from './session-pool.ts';

/** A request to a server, and how the client reaches that server. */
export interface ServerRequest extends ApiRequest {
  /** The path in front of `url`, as the client sees it: `/demo` (default: none). */
  readonly basePath?: string | undefined;
  /** Whether the client uses https. */
  readonly secure?: boolean | undefined;
  /** Whether a page of another origin sent it that may use cookies: one that `corsOrigin` names. */
  readonly isFromNamedOrigin?: boolean | undefined;
}

/** Options of a server with sessions: access and limits. */
export interface SessionOptions extends SessionLimits, ControlGuard {
  /**
   * How requests without a session are served: by the shared back office (`optional`, the default), not at all
   * (`required`), or in a session of the visitor's own, which a cookie names from then on (`own`). With `own`, the
   * shared back office only serves reads of visitors without a cookie: it never changes, and its journal stays empty.
   */
  readonly sessions?: 'optional' | 'required' | 'own' | undefined;
  /** Makes an unguessable name for a session that a cookie names; required by `own`. */
  readonly newName?: (() => string) | undefined;
  /** Names of the scenarios that clients can choose (default: all built-in ones). */
  readonly scenarios?: readonly string[] | undefined;
  /** Version in the OpenAPI document. */
  readonly version?: string | undefined;
  /** Maximum body size of the store API in bytes, whatever the settings of a session are. */
  readonly maxBodyBytes?: number | undefined;
  /** Maximum body size of the control API in bytes (default: 1 MiB). */
  readonly maxControlBytes?: number | undefined;
  /** Maximum size of an import in bytes (default: 64 MiB). */
  readonly maxImportBytes?: number | undefined;
  /** Whether a reset can set no other seed or start time than the scenario's (default: false). */
  readonly fixedStarts?: boolean | undefined;
}

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
  readonly shared: BackOffice;
  readonly sessions: SessionPool;
  /** Whether a limit depends on the addresses of clients. */
  readonly countsClients: boolean;
  readonly #options: SessionOptions;
  readonly #isOwn: boolean;
  readonly #newName: () => string;
  readonly #scenario: ReadyScenario;
  readonly #controlled: ControlledServer;
  readonly #longPolls = new LongPolls();

  constructor(shared: BackOffice, options: SessionOptions) {
    this.shared = shared;
    this.#options = options;
    this.#isOwn = options.sessions === 'own';
    this.countsClients = options.requestRate !== undefined || (options.clientShare ?? 100) < 100;
    this.#newName = newNameOf(options);
    this.#scenario = shared.scenario;
    this.sessions = new SessionPool(
      (name, scenario) => shared.sibling(name, scenario ?? this.#scenario),
      options,
    );
    this.#controlled = this.#openControlled();
  }

  /**
   * Serves a request. Never throws. The response of a long poll has a `deferred` one.
   *
   * @param options.admitted whether `admit` has counted the request
   */
  answer(request: ServerRequest, { admitted = false }: { admitted?: boolean } = {}): ApiResponse {
    try {
      const target = request.target ?? parseRequestTarget(request.url, request.headers);
      const { requestRate } = this.#options;
      if (!admitted && requestRate !== undefined)
        this.sessions.count(target.session, request.client);
      if (isControl(target.path)) return this.#answerControl(request, target);
      const { office, headers } = this.#choose(request, target);
      const sent = withinSession(request, target);
      const isTraceless = this.#isOwn && office === this.shared;
      const answer = isTraceless ? office.dryRun(sent) : office.answer(sent);
      return prefixLinks(withHeaders(answer, headers), prefixOf(request, target));
    } catch (error) {
      if (error instanceof Problem) return problemResponse(error);
      throw error;
    }
  }

  /**
   * Counts a request for the rate limit of its session or client, before its body is read.
   *
   * @returns the response to a request beyond the limit
   */
  admit({ target, client }: RequestHead): ApiResponse | undefined {
    if (this.#options.requestRate === undefined) return undefined;
    try {
      this.sessions.count(target.session, client);
      return undefined;
    } catch (error) {
      if (error instanceof Problem) return problemResponse(error);
      throw error;
    }
  }

  /** How many of a total one client may have. */
  shareOf(total: number): number {
    return shareOf(total, this.#options.clientShare);
  }

  /** Maximum body size of a request in bytes; 0 if it is rejected whatever its body is. */
  maxBodyBytes({ url, headers, target }: Pick<ApiRequest, 'url' | 'headers' | 'target'>): number {
    const { path, session } = target ?? parseRequestTarget(url, headers);
    if (isControl(path)) {
      const isAllowed = mayControl(this.#options, { headers }, path);
      return isAllowed ? this.#maxControlBytes(path, headers) : 0;
    }
    const own = session === undefined ? undefined : this.sessions.peek(session);
    const { settings } = (own ?? this.shared).shop;
    return Math.min(settings.maxBodyBytes, this.#options.maxBodyBytes ?? Infinity);
  }

  /** Resets the shared back office and removes all sessions. */
  resetAll(): void {
    this.sessions.clear('the server was reset');
    this.shared.snapshots.clear();
    this.shared.reset(this.#scenario);
  }

  /** Prepares, step by step, what would delay a first request: each scenario, the OpenAPI document, an import. */
  *warmUp(): Generator<void, void> {
    for (const { name } of this.#controlled.scenarios()) {
      this.shared.sibling('warm-up', this.#controlled.scenario(name));
      yield;
    }
    this.#controlled.openapi('');
    yield;
    // The first import compiles the schemas of records.
    const office = this.shared.sibling('warm-up', this.#scenario);
    office.import(JSON.parse(JSON.stringify(office.export())));
  }

  /** Links in the bodies of control endpoints are not prefixed, because faults and journal entries quote bodies. */
  #answerControl(request: ServerRequest, target: RequestTarget): ApiResponse {
    assertControlAllowed(this.#options, request, target.path);
    let chosen: Chosen | undefined;
    const office = (): BackOffice => (chosen ??= this.#choose(request, target)).office;
    const prefix = prefixOf(request, target);
    const context: ControlContext = {
      office,
      basePath: request.basePath ?? '',
      prefix,
      shop: this.#shopName(target),
      server: this.#controlled,
      client: request.client,
      longPoll: (poll) => this.#longPolls.open(office(), poll),
    };
    const maxBodyBytes = this.#maxControlBytes(target.path, request.headers);
    const settings = RestSettings.parse({ maxBodyBytes });
    const sent = withinSession(request, target);
    const answer = serve(controlRouter, sent, { ...controlHost, settings, context });
    return mapResponse(answer, (one) =>
      withLocation(withHeaders(headless(request, one), chosen?.headers), prefix),
    );
  }

  /** Only an import in JSON may be larger than other requests. */
  #maxControlBytes(path: string, headers: ApiRequest['headers']): number {
    const { maxControlBytes = 1_048_576, maxImportBytes = 64 * 1_048_576 } = this.#options;
    if (!isImport(path)) return maxControlBytes;
    const isFile = /json/i.test(headers['content-type'] ?? '');
    return isFile ? maxImportBytes : Math.min(maxControlBytes, maxImportBytes);
  }

  /** For the heading of a page. */
  #shopName({ session, prefix }: RequestTarget): string {
    if (prefix === '' && this.#isOwn) return 'your own shop';
    return session === undefined ? 'the shared back office' : `session ${session}`;
  }

  #choose(request: ServerRequest, { session, path }: RequestTarget): Chosen {
    const { method, client } = request;
    if (session !== undefined) return this.#useSession(session, client);
    if (this.#options.sessions === 'required') throw nameless();
    const shared: Chosen = { office: this.shared };
    if (!this.#isOwn) return shared;
    const name = this.#newName();
    // Reads get no session, because a client without cookies would open one with each of them.
    const chosen = isRead(method, path) ? shared : this.#useSession(name, client);
    return { ...chosen, headers: { ...chosen.headers, 'set-cookie': cookieOf(name, request) } };
  }

  #useSession(name: string, client: string | undefined): Chosen {
    const { office, evicted } = this.sessions.use(name, client);
    const headers: Record<string, string> = { [sessionHeader]: name };
    if (evicted !== undefined) {
      headers[noticeHeader] = `Session ${name} was reset: ${evicted.reason}.`;
    }
    return { office, headers };
  }

  #openControlled(): ControlledServer {
    let document: OpenApiDocument | undefined;
    const own = this.#scenario;
    const { scenarios = builtInScenarios } = this.#options;
    const names = [...new Set([own.name, ...scenarios])];
    const scenario = (name: string): ReadyScenario => {
      if (names.includes(name)) return name === own.name ? own : builtInScenario(name);
      throw new Problem(
        'missing',
        `Scenario '${name}' not found. Choose one of ${names.join(', ')}.`,
      );
    };
    return {
      shared: this.shared,
      sessions: this.sessions,
      fixedStarts: this.#options.fixedStarts ?? false,
      scenarios: () => names.map(scenario),
      scenario,
      openapi: (prefix) => withPrefix((document ??= openapi(this.#options.version ?? '0')), prefix),
    };
  }
}

const controlRouter = createApiRouter<ControlContext>(controlEndpoints);

const controlHost: Pick<Host<ControlContext>, 'isQueryStrict' | 'report' | 'transaction'> = {
  isQueryStrict: true,
  report: reportToConsole,
  transaction: (work) => work(),
};

interface Chosen {
  readonly office: BackOffice;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the request as the back office of its session receives it: without an origin and the session's path. */
function withinSession(request: ServerRequest, target: RequestTarget): ServerRequest {
  const url = stripOrigin(request.url).slice(target.prefix.length) || '/';
  return url === request.url && target === request.target ? request : { ...request, url, target };
}

/** Returns what the client sees in front of `/api` and `/_backlot`. */
function prefixOf({ basePath = '' }: ServerRequest, { prefix }: RequestTarget): string {
  return prefix === '' ? basePath : `${basePath}${prefix}`;
}

/** @throws Problem `invalid` if sessions that cookies name cannot be named */
function newNameOf({ sessions, newName }: SessionOptions): () => string {
  if (newName === undefined && sessions === 'own') {
    throw new Problem('invalid', "sessions: 'own' requires newName, which makes random names.");
  }
  return newName ?? (() => '');
}

/** Whether a request writes nothing. A token request writes even if it is a GET. */
function isRead(method: string, path: string): boolean {
  if (method === 'OPTIONS') return true;
  return (method === 'GET' || method === 'HEAD') && !path.startsWith('/oauth');
}

function nameless(): Problem {
  return new Problem(
    'malformed',
    'This server requires the name of a session: in the header X-Backlot-Session, in the cookie backlot-session, or in the path, /s/<name>/api/….',
  );
}
