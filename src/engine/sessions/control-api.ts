import { hintOf } from '../lib/unknown-keys.ts';
import {
  type BeginOptions,
  type ControlContext,
  type ControlledServer,
  type ControlledSessions,
  type ServerParts,
  LongPolls,
} from '../control/endpoint.ts';
import { controlRouter } from '../control/endpoints/index.ts';
import {
  assertControlAllowed,
  isImport,
  isControlAllowed,
  type ControlGuard,
} from '../control/guard.ts';
import { actorOf, entryHeader } from '../journal/actor.ts';
import { isControl } from '../lib/api-path.ts';
import { jsonLimits } from '../lib/json-limits.ts';
import { memoized } from '../lib/memoized.ts';
import { Problem } from '../lib/problem.ts';
import { openBackOffice, reportToConsole, type BackOffice } from '../office/open-back-office.ts';
import {
  headless,
  mapResponse,
  withHeaders,
  type ApiRequest,
  type ApiResponse,
  type RequestTarget,
} from '../rest/message.ts';
import { isEventStream } from '../rest/events.ts';
import type { OpenApiDocument } from '../rest/openapi.ts';
import { withPrefix } from '../rest/openapi-prefix.ts';
import { withLocation } from '../rest/page.ts';
import { serve, type Host } from '../rest/serve.ts';
import { RestSettings } from '../rest/endpoint.ts';
import type { ApiDefinition } from '../definition/api.ts';
import { builtInNames, openBuiltIn } from '../scenario/built-in.ts';
import type { ReadyScenario } from '../scenario/scenario.ts';
import { answerExamples } from './example-answers.ts';
import { uuidsToIds } from './uuids-to-ids.ts';
import { Metrics } from './metrics.ts';
import { documentedEndpoints, openapi } from './openapi.ts';
import { parseRequestTarget, withinSession, type ServerRequest } from './request-target.ts';
import { SessionPool } from './session-pool.ts';
import { sessionless } from './sessionless.ts';

/** Options of the control API: access and limits. */
export interface ControlOptions extends ControlGuard, ServerParts {
  /** Names of the scenarios that clients can choose (default: all built-in ones). */
  readonly scenarios?: readonly string[] | undefined;
  /** Version in the OpenAPI document. */
  readonly version?: string | undefined;
  /** Maximum body size of the control API in bytes (default: 1 MiB). */
  readonly maxControlBytes?: number | undefined;
  /** Maximum size of an import in bytes (default: 64 MiB). */
  readonly maxImportBytes?: number | undefined;
  /** The OpenAPI document (default: that of both APIs, with examples). */
  readonly document?: OpenApiDocument | undefined;
}

/** The back office that serves a request, and the headers that name its session. */
export interface OfficeWithHeaders {
  readonly office: BackOffice;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Chooses the back office for a request of the control API. */
export interface OfficeChooser {
  /** Returns the back office that serves the request. */
  choose(): OfficeWithHeaders;
  /** Begins a session for the client. */
  begin(how: BeginOptions): OfficeWithHeaders;
}

/** The part of a server that the control API shows, in addition to its sessions. */
export interface ServerState {
  isReady(): boolean;
  metrics(): string;
  /** The scenario of the server, which sessions begin with. */
  scenario(): ReadyScenario;
}

/** The control API of a server with sessions. */
export class ControlApi {
  readonly server: ControlledServer;
  readonly #options: ControlOptions;
  readonly #hasSessions: boolean;
  readonly #longPolls = new LongPolls();

  /** @param sessions undefined for a back office without a server, whose endpoints of sessions return 404 */
  constructor(
    shared: BackOffice,
    sessions: ControlledSessions | undefined,
    options: ControlOptions,
    state: ServerState = standaloneState(shared),
  ) {
    this.#options = options;
    this.#hasSessions = sessions !== undefined;
    this.server = controlledServer(shared, sessions ?? noSessions(), options, state);
  }

  /**
   * Answers a request. Links in the body are not prefixed, because faults and journal entries quote bodies.
   *
   * @param chooser called only if the endpoint needs a back office
   * @throws Problem as `assertControlAllowed`; `missing` for sessions of a back office without a server
   */
  answer(request: ServerRequest, target: RequestTarget, chooser: OfficeChooser): ApiResponse {
    assertControlAllowed(this.#options, request, target.path);
    if (!this.#hasSessions && /^\/_backlot\/sessions(\/|$)/.test(target.path)) throw sessionless();
    let chosen: OfficeWithHeaders | undefined;
    let end: ReturnType<BackOffice['beginAction']> | undefined;
    const use = (one: OfficeWithHeaders): BackOffice => {
      chosen = one;
      if (request.method !== 'GET') end ??= one.office.beginAction(actorOf(request.headers));
      return one.office;
    };
    const office = (): BackOffice => chosen?.office ?? use(chooser.choose());
    const { basePath = '' } = request;
    const prefix = `${basePath}${target.prefix}`;
    const context: ControlContext = {
      office,
      basePath,
      prefix,
      shop: this.#shopName(target),
      server: this.server,
      session: target.session,
      begin: (how) => use(chooser.begin(how)),
      isNamedOrigin: (origin) => request.namedOrigins?.has(origin) === true,
      may: {
        control: isControlAllowed(this.#options, request, '/_backlot/reset'),
        sessions:
          this.#hasSessions && isControlAllowed(this.#options, request, '/_backlot/sessions'),
        starts: this.#options.fixedStarts !== true,
        findings: isControlAllowed(this.#options, request, '/_backlot/chaos'),
      },
      withSession: this.#options.sessions !== 'own',
      client: request.client,
      longPoll: (poll) => this.#longPolls.open(office(), poll),
    };
    const maxBodyBytes = this.#maxBytes(target.path, request.headers);
    const settings = RestSettings.parse({ maxBodyBytes });
    const router = controlRouter(this.server.shared.shop.api);
    const match = router.find(target.path);
    const sent = uuidsToIds(withinSession(request, target), target, office, match);
    const answer = serve(router, sent, {
      ...host,
      settings,
      context,
    });
    const entry = end?.(`${request.method} ${target.path}`);
    const made = entry === undefined ? undefined : { [entryHeader]: String(entry) };
    const finished = mapResponse(answer, (one) =>
      withLocation(withHeaders(headless(request, one), { ...chosen?.headers, ...made }), prefix),
    );
    if (!isEventStream(finished)) return finished;
    const { history } = office();
    return { ...finished, events: { subscribe: (listener) => history.on(listener) } };
  }

  /** Returns the maximum body size of a request in bytes; 0 if any body is rejected. */
  maxBodyBytes(path: string, headers: ApiRequest['headers']): number {
    return isControlAllowed(this.#options, { headers }, path) ? this.#maxBytes(path, headers) : 0;
  }

  /** Only an import in JSON may be larger than other requests. */
  #maxBytes(path: string, headers: ApiRequest['headers']): number {
    const { request, import: file } = jsonLimits;
    const { maxControlBytes = request.bytes, maxImportBytes = file.bytes } = this.#options;
    if (!isImport(path)) return maxControlBytes;
    const isFile = /json/i.test(headers['content-type'] ?? '');
    return isFile ? maxImportBytes : Math.min(maxControlBytes, maxImportBytes);
  }

  /** Returns the name of the back office for the heading of a page. */
  #shopName({ session, prefix }: RequestTarget): string {
    if (!this.#hasSessions) return 'a back office without sessions';
    if (prefix === '' && this.#options.sessions === 'own') return 'your own shop';
    return session === undefined ? 'the shared back office' : `session ${session}`;
  }
}

/** The sessions of a back office without a server. */
function noSessions(): ControlledSessions {
  return new SessionPool(() => {
    throw sessionless();
  }, {});
}

function standaloneState({ scenario }: BackOffice): ServerState {
  return {
    isReady: () => true,
    metrics: () => {
      throw sessionless();
    },
    scenario: () => scenario,
  };
}

const host: Pick<Host<ControlContext>, 'isQueryStrict' | 'report' | 'transaction'> = {
  isQueryStrict: true,
  report: reportToConsole,
  transaction: (work) => work(),
};

function controlledServer(
  shared: BackOffice,
  sessions: ControlledSessions,
  options: ControlOptions,
  state: ServerState,
): ControlledServer {
  const { api } = shared.shop;
  const { scenarios = builtInNames(api), version = '0' } = options;
  const { fixedStarts, coverageReport, chaos, replayRecording } = options;
  const known = documents(api);
  const names = (): string[] => [...new Set([state.scenario().name, ...scenarios])];
  const scenario = (name: string): ReadyScenario => {
    const own = state.scenario();
    if (names().includes(name)) return name === own.name ? own : openBuiltIn(api, name);
    throw new Problem(
      'missing',
      `Scenario '${name}' not found.${hintOf(name, names())} Choose one of ${names().join(', ')}.`,
    );
  };
  return {
    shared,
    sessions,
    fixedStarts,
    coverageReport,
    chaos,
    replayRecording,
    isReady: () => state.isReady(),
    metrics: () => state.metrics(),
    assertPublishing() {
      if (options.sessions !== 'own' || options.controlToken !== undefined) return;
      throw new Problem(
        'forbidden',
        'Only the owner of this server can publish snapshots. Start it with a token for the control API.',
      );
    },
    scenarios: () => names().map(scenario),
    scenario,
    openapi(prefix) {
      if (options.document === undefined) finish(this.warmUp());
      return withPrefix(options.document ?? known.get(version)!, prefix, api.path);
    },
    *warmUp() {
      if (options.document === undefined && !known.has(version))
        known.set(version, yield* describeApis(api, version));
    },
  };
}

/** The documents of an API by version. Examples respond the same each time, so all its servers share a document. */
const documents = memoized<ApiDefinition, Map<string, OpenApiDocument>>(() => new Map());

/** Creates the document of an API and its control API, in steps. Its examples are run in servers of their own. */
export function* describeApis(
  api: ApiDefinition,
  version: string,
): Generator<void, OpenApiDocument> {
  const rows = documentedEndpoints(api);
  const answers = yield* answerExamples(api, rows, () => {
    const office = openBackOffice({ api, history: true });
    const sessions = new SessionPool(
      (name, scenario) => office.sibling(name, scenario ?? office.scenario),
      {},
    );
    const state = { ...standaloneState(office), metrics: () => noMetrics(api) };
    const control = new ControlApi(
      office,
      sessions,
      { document: openapi(api, version, []) },
      state,
    );
    const chooser: OfficeChooser = {
      choose: () => ({ office }),
      begin: ({ scenario = office.scenario }) => ({ office: office.sibling('visitor', scenario) }),
    };
    return (request) => {
      const target = parseRequestTarget(request.url, request.headers);
      return isControl(target.path)
        ? control.answer(request, target, chooser)
        : office.answer(request);
    };
  });
  return openapi(api, version, rows, answers);
}

/** The metrics of a server without requests, as an example. */
function noMetrics(api: ApiDefinition): string {
  return new Metrics(api).format({ open: 0, evicted: 0 });
}

/** Runs the steps of work at once, and returns its result. */
export function finish<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
