import { endpoints, reportToConsole, type BackOffice } from '../office/open-back-office.ts';
import type { ControlContext, ControlledServer } from '../control/endpoint.ts';
import { controlEndpoints } from '../control/endpoints/index.ts';
import { LongPolls, type MaybeDeferred } from '../control/long-poll.ts';
import type { JournalEntry } from '../journal/recorded-exchange.ts';
import {
  controlTokenGuard,
  guardControl,
  isControl,
  isImport,
  mayControl,
  type ControlGuard,
} from '../control/guard.ts';
import {
  sessionAddress,
  sessionCookie,
  sessionHeader,
  type SessionAddress,
} from './session-address.ts';
import { SessionPool, type SessionLimits } from './session-pool.ts';
import { shareOf } from './share.ts';
import { Problem } from '../lib/problem.ts';
import { tokenGuard } from '../resources/oauth.ts';
import { views } from '../resources/view.ts';
import { problemResponse } from '../rest/errors.ts';
import {
  headless,
  type ApiAnswer,
  type ApiRequest,
  noticeHeader,
  withHeaders,
} from '../rest/message.ts';
import { prefixLinks, withLocation } from '../rest/page.ts';
import { openapiOf, type OpenApiDocument } from '../rest/openapi.ts';
import { withPrefix } from '../rest/openapi-prefix.ts';
import { createServe, type Host } from '../rest/serve.ts';
import { RestSettings } from '../rest/settings.ts';
import type { ReadyScenario } from '../scenario/scenario.ts';
import { builtInScenario, builtInScenarios } from '../scenario/built-in.ts';

/** A request to a server, and how the client sees that server. */
export interface ServerRequest extends ApiRequest {
  /** What the client sees in front of every path, and `url` does not hold: `/demo`; nothing if not given. */
  readonly basePath?: string | undefined;
  /** Whether the client came by https. */
  readonly secure?: boolean | undefined;
  /** Whether a page of another origin sent it that may use cookies: one that `corsOrigin` names. */
  readonly isFromNamedOrigin?: boolean | undefined;
}

/** How a server with sessions is opened: who may do what, and how much of it. */
export interface SessionOptions extends SessionLimits, ControlGuard {
  /**
   * What answers a request that names no session: the back office that all share (`optional`, as it is if nothing is
   * said), nobody (`required`), or one of the visitor's own, which a cookie names from then on (`own`). With `own`, the
   * shared one only answers reads of visitors without a cookie: it never changes, and its journal stays empty.
   */
  readonly sessions?: 'optional' | 'required' | 'own' | undefined;
  /** Makes a name that nobody can guess, for sessions that a cookie names; `own` requires it. */
  readonly newName?: (() => string) | undefined;
  /** The scenarios that can be asked for by name: all that come with the package if not given. */
  readonly scenarios?: readonly string[] | undefined;
  /** Stands in the OpenAPI document. */
  readonly version?: string | undefined;
  /** The largest body that the interface takes, whatever the settings of a session say. */
  readonly maxBodyBytes?: number | undefined;
  /** The largest body that the mock's own endpoints take, in bytes: 1 MiB if not given. */
  readonly maxControlBytes?: number | undefined;
  /** The largest export that they take back, in bytes: 64 MiB if not given. */
  readonly maxImportBytes?: number | undefined;
  /** Whether sessions begin with no other seed or moment than their scenario's: anybody may choose them if not given. */
  readonly fixedStarts?: boolean | undefined;
}

/**
 * One back office for all who name no session, one for each session, and the mock's own endpoints.
 *
 * @throws Problem `invalid` for limits that make no sense
 */
export function openSessions(shared: BackOffice, options: SessionOptions = {}): Server {
  return new Server(shared, options);
}

/** A server in plain values: requests in, answers out, whichever shop they are for. `openSessions` makes one. */
export class Server {
  readonly shared: BackOffice;
  readonly sessions: SessionPool;
  readonly #options: SessionOptions;
  readonly #newName: () => string;
  readonly #home: ReadyScenario;
  readonly #control: Pick<Host<ControlContext>, 'isQueryStrict' | 'report' | 'transaction'>;
  readonly #server: ControlledServer;
  readonly #holds = new LongPolls<JournalEntry>();

  constructor(shared: BackOffice, options: SessionOptions) {
    this.shared = shared;
    this.#options = options;
    this.#newName = newNameOf(options);
    this.#home = shared.scenario;
    this.sessions = new SessionPool(
      (name, scenario) => shared.sibling(name, scenario ?? this.#home),
      options,
    );
    this.#server = this.#serverDoors();
    this.#control = {
      isQueryStrict: true,
      report: reportToConsole,
      transaction: (work) => work(),
    };
  }

  /**
   * Answers a request for whichever session it names. Never throws. Some answers are worth waiting for.
   *
   * @param options.admitted whether `admit` has counted the request
   */
  answer(request: ServerRequest, { admitted = false }: { admitted?: boolean } = {}): MaybeDeferred {
    try {
      if (!admitted) this.#count(request);
      const at = sessionAddress(request);
      if (isControl(at.path)) return this.#answerControl(request, at);
      const { office, headers } = this.#choose(request, at);
      const sent = at.url === request.url ? request : { ...request, url: at.url };
      const isTraceless = this.#isOwn && office === this.shared;
      const answer = isTraceless ? office.dryRun(sent) : office.answer(sent);
      return prefixLinks(withHeaders(answer, headers), prefixOf(request, at));
    } catch (error) {
      if (error instanceof Problem) return problemResponse(error);
      throw error;
    }
  }

  /**
   * Counts a request for the rate of its session or client, before its body is read.
   *
   * @returns the answer to a request that is beyond the rate
   */
  admit(request: AdmittedRequest): ApiAnswer | undefined {
    try {
      this.#count(request);
      return undefined;
    } catch (error) {
      if (error instanceof Problem) return problemResponse(error);
      throw error;
    }
  }

  /** Whether it makes a difference where requests come from. */
  get countsClients(): boolean {
    const { requestRate, clientShare = 100 } = this.#options;
    return requestRate !== undefined || clientShare < 100;
  }

  /** How many of all one client may hold. */
  shareOf(most: number): number {
    return shareOf(most, this.#options.clientShare);
  }

  /** How large the body of this request may be, in bytes; nothing is read of one that is refused whatever it says. */
  maxBodyBytes(request: Pick<ApiRequest, 'url' | 'headers'>): number {
    const { path, name } = sessionAddress(request);
    if (isControl(path)) {
      return mayControl(this.#options, request, path)
        ? this.#maxControlBytes(path, request.headers)
        : 0;
    }
    const { settings } = this.sessions.peek(name) ?? this.shared;
    return Math.min(settings.maxBodyBytes, this.#options.maxBodyBytes ?? Infinity);
  }

  /** Everything begins anew, and no session is left. */
  resetAll(): void {
    this.sessions.clear('everything here was reset');
    this.shared.snapshots.clear();
    this.shared.reset(this.#home);
  }

  /** Sets up, step by step, what a visitor would wait for at first use: each scenario, the document, an import. */
  *warmUp(): Generator<void, void> {
    for (const { name } of this.#server.scenarios()) {
      this.shared.sibling('warm-up', this.#server.scenario(name));
      yield;
    }
    this.#server.openapi('');
    yield;
    // The schemas of records are compiled at the first import.
    const office = this.shared.sibling('warm-up', this.#home);
    office.import(JSON.parse(JSON.stringify(office.export())));
  }

  /** Its answers are not searched for links: a fault or a journal entry says what was said. */
  #answerControl(request: ServerRequest, at: SessionAddress): MaybeDeferred {
    guardControl(this.#options, request, at.path);
    let chosen: Chosen | undefined;
    const office = (): BackOffice => (chosen ??= this.#choose(request, at)).office;
    const { basePath = '' } = request;
    const prefix = prefixOf(request, at);
    const place = { basePath, prefix, shop: this.#shopOf(at) };
    return this.#holds.answer(office, (hold) => {
      const context = { ...place, office, server: this.#server, hold, client: request.client };
      const settings = RestSettings.parse({
        maxBodyBytes: this.#maxControlBytes(at.path, request.headers),
      });
      const host = { ...this.#control, settings, context };
      const { answer } = serveControl({ ...request, url: at.url }, host);
      return withLocation(withHeaders(headless(request, answer), chosen?.headers), prefix);
    });
  }

  /** What is imported is JSON: nothing else needs to be that large. */
  #maxControlBytes(path: string, headers: ApiRequest['headers']): number {
    const { maxControlBytes = 1_048_576, maxImportBytes = 64 * 1_048_576 } = this.#options;
    if (!isImport(path)) return maxControlBytes;
    const isFile = /json/i.test(headers['content-type'] ?? '');
    return isFile ? maxImportBytes : Math.min(maxControlBytes, maxImportBytes);
  }

  /** In words for a person who looks at a page. */
  #shopOf({ name, prefix }: SessionAddress): string {
    if (prefix === '' && this.#isOwn) return 'your own shop';
    return name === undefined ? 'the shared back office' : `session ${name}`;
  }

  #count({ url, headers, client }: AdmittedRequest): void {
    if (this.#options.requestRate === undefined) return;
    this.sessions.count(sessionAddress({ url, headers }).name, client);
  }

  get #isOwn(): boolean {
    return this.#options.sessions === 'own';
  }

  #choose(request: ServerRequest, { name, path }: SessionAddress): Chosen {
    const { method, client } = request;
    if (name !== undefined) return this.#named(name, client);
    if (this.#options.sessions === 'required') throw nameless();
    const shared: Chosen = { office: this.shared };
    if (!this.#isOwn) return shared;
    const given = this.#newName();
    // A client that sends no cookies back can read what a new session holds, and gets no session for each reading.
    const chosen = isRead(method, path) ? shared : this.#named(given, client);
    return { ...chosen, headers: { ...chosen.headers, 'set-cookie': cookieOf(given, request) } };
  }

  #named(name: string, client: string | undefined): Chosen {
    const { office, dropped } = this.sessions.use(name, client);
    const headers: Record<string, string> = { [sessionHeader]: name };
    if (dropped !== undefined) {
      headers[noticeHeader] = `Session ${name} begins anew: ${dropped.reason}.`;
    }
    return { office, headers };
  }

  #serverDoors(): ControlledServer {
    let document: OpenApiDocument | undefined;
    const named = new Map([[this.#home.name, this.#home]]);
    const { scenarios = builtInScenarios } = this.#options;
    const names = [...new Set([this.#home.name, ...scenarios])];
    const scenario = (name: string): ReadyScenario => {
      if (names.includes(name)) return named.get(name) ?? builtInScenario(name);
      throw new Problem('missing', `There is no scenario ${name}; there are: ${names.join(', ')}.`);
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

/** Whether a path, and what follows it, is for `Sessions` to answer; what else a host serves is its own. */
export function isAnswered(url: string): boolean {
  return url.startsWith('/api/') || /^(\/s\/[^/?#]+)?\/(api|oauth|_backlot)([/?#]|$)/.test(url);
}

/**
 * The OpenAPI document of the interface and of the mock's own endpoints.
 *
 * @param prefix what stands in front of every path, as the client sees it: `/demo`
 */
export function openapi(version: string, prefix = ''): OpenApiDocument {
  const description =
    'The back office of a store, in memory. Paths under /api are its interface; those under /_backlot are the doors of the mock itself.';
  const document = openapiOf(
    [...endpoints, ...controlEndpoints],
    { title: 'Backlot', version, description },
    views,
    [tokenGuard, controlTokenGuard],
  );
  return withPrefix(document, prefix);
}

/** What the client sees in front of `/api` and `/_backlot`. */
function prefixOf({ basePath = '' }: ServerRequest, at: SessionAddress): string {
  return at.prefix === '' ? basePath : `${basePath}${at.prefix}`;
}

const serveControl = createServe<ControlContext>(controlEndpoints);

/** What of a request is known before its body is read. */
export type AdmittedRequest = Pick<ApiRequest, 'url' | 'headers' | 'client'>;

interface Chosen {
  readonly office: BackOffice;
  readonly headers?: Readonly<Record<string, string>>;
}

/** @throws Problem `invalid` where visitors have sessions of their own that cannot be named */
function newNameOf({ sessions, newName }: SessionOptions): () => string {
  if (newName === undefined && sessions === 'own') {
    throw new Problem('invalid', "sessions: 'own' requires newName, which makes random names.");
  }
  return newName ?? (() => '');
}

/**
 * The cookie that names a visitor's session. To a page of another site browsers send only `SameSite=None` cookies, and
 * those only over https.
 */
function cookieOf(name: string, request: ServerRequest): string {
  const { basePath = '', secure = false, isFromNamedOrigin = false } = request;
  const sameSite = secure && isFromNamedOrigin ? 'None' : 'Lax';
  const attributes = `Path=${basePath}/; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`;
  return `${sessionCookie}=${name}; ${attributes}`;
}

/** Whether a request writes nothing: a token is written even by a GET. */
function isRead(method: string, path: string): boolean {
  if (method === 'OPTIONS') return true;
  return (method === 'GET' || method === 'HEAD') && !path.startsWith('/oauth');
}

function nameless(): Problem {
  return new Problem(
    'malformed',
    'This server wants the name of a session: in the header X-Backlot-Session, in the cookie backlot-session, or in the path, /s/<name>/api/….',
  );
}
