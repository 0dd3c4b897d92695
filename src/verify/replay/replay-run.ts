import type { ApiDefinition } from '../../engine/definition/api.ts';
import type {
  DriftDefinition,
  KnownSettings,
  ParsedResponse,
  Report,
  SentRequest,
} from '../../engine/definition/drift.ts';
import { isControl, namedPath } from '../../engine/lib/api-path.ts';
import { secondsBetween, toDate, toTimestamp } from '../../engine/lib/duration.ts';
import { parseJson } from '../../engine/lib/json-value.ts';
import { Problem } from '../../engine/lib/problem.ts';
import { mask } from '../../engine/journal/redaction.ts';
import { parseBrackets } from '../../engine/rest/body.ts';
import {
  openBackOffice,
  type AnyScenario,
  type BackOffice,
} from '../../engine/office/open-back-office.ts';
import { beforeIn, enterState } from '../../engine/office/export/har-before.ts';
import { bodyToSend, notRecorded } from '../../engine/office/export/request-text.ts';
import { controlOf } from '../../mounts/fetch/office-control.ts';
import { visitorScenarios } from '../../mounts/server/visitor-scenarios.ts';
import { matchRequest } from '../../engine/definition/match-request.ts';
import { checkExchange, describe, maxFindings } from '../drift/exchange.ts';
import { findingOf, type Finding } from '../drift/finding.ts';
import { ResponseComparison } from './compare.ts';
import { collectionIn, Counterparts, idTest } from './counterparts.ts';
import type { RecordedExchange } from './har-entry.ts';
import {
  differenceText,
  excerpt,
  shownFinding,
  withoutSecrets,
  type ReplayFinding,
} from './replay-finding.ts';
import { contractUrl, placeIn, writeTime, type RecordedPlace, type Survey } from './survey.ts';

export interface ReplayOptions {
  readonly api: ApiDefinition;
  /** The path of the API of the server (default: `/api`). */
  readonly apiPath?: string | undefined;
  /** The shop as the recording begins; `auto` for the records that its reads show (default: `default`). */
  readonly scenario?: AnyScenario | undefined;
  /** Settings of the server in addition to those of the scenario. */
  readonly settings?: KnownSettings | undefined;
  /** Whether an export of a history begins with the state that it has, and not with the scenario (default: false). */
  readonly fromRecorded?: boolean | undefined;
  /** Whether the replay shares a server with others, so that it may do no more than a visitor (default: false). */
  readonly asVisitor?: boolean | undefined;
  /** Receives the number of requests with each of them. The next one waits for it. */
  readonly onRequest?: ((count: number) => Promise<void> | void) | undefined;
}

/** Number of requests that a trace has at most: the last ones. */
const maxTraced = 10_000;

/** Maximum length of what a recording on a server sends to the control API, in characters: others wait for it. */
const maxControl = 65_536;

/** The shop that the requests of a recording are sent to, and what differs so far. */
export class ReplayRun {
  readonly findings: ReplayFinding[] = [];
  readonly endpoints = new Set<string>();
  requests = 0;
  /** Number of entries so far. */
  count = 0;
  readonly #survey: Survey;
  readonly #api: ApiDefinition;
  readonly #drift: DriftDefinition | undefined;
  readonly #office: BackOffice;
  readonly #options: ReplayOptions;
  /** The name of the scenario that the shop begins with. */
  readonly #begins: string;
  readonly #known: Counterparts;
  /** The last write of the server: its time, and when the client received the response. */
  #lastWrite: { readonly time: string; readonly end: number | undefined } | undefined;
  /** Whether the shop has begun with the state that the recording has. */
  #isEntered = false;
  /** Whether the next request requires a token. */
  #isGuarded = false;
  /** The last entry of the history. */
  #entry = 0;
  /** What differs, by the entry of the history. */
  readonly #differences = new Map<number, string>();

  constructor(
    survey: Survey,
    options: ReplayOptions,
    drift: DriftDefinition | undefined,
    isTraced: boolean,
  ) {
    const { api, scenario } = options;
    const settings = { ...options.settings, journalSize: isTraced ? maxTraced : 0 };
    this.#options = { ...options, settings };
    this.#survey = survey;
    this.#api = api;
    this.#drift = drift;
    this.#office = openBackOffice({
      api: {
        ...api,
        authenticate: (...call) => {
          if (this.#isGuarded) api.authenticate(...call);
        },
      },
      apiPath: namedPath,
      scenario,
      settings,
      history: isTraced,
    });
    if (isTraced) this.#office.history.on(({ id }) => (this.#entry = id));
    this.#office.faults.clear();
    this.#begins = this.#office.scenario.name;
    this.#known = new Counterparts(api, this.#office.clock.now(), idTest(this.#office));
  }

  /** @param pause is waited for between two steps that take time */
  async replay(exchange: RecordedExchange, pause: () => Promise<void>): Promise<void> {
    this.count += 1;
    const { own, position, response } = exchange;
    this.#enter(own?.before, position);
    const place = placeIn(exchange.url, this.#survey.place.apiPath) ?? this.#survey.place;
    const url = contractUrl(exchange.url, place);
    const request = this.#withSecrets({ ...exchange.request, url }, response);
    if (isControl(request.url)) {
      if (response.status < 400) this.#control(request, position);
      return;
    }
    const { row } = matchRequest(request, { api: this.#api });
    // Where there is no endpoint, no body is read.
    if (row !== undefined && exchange.lacksBody)
      return this.#survey.leftOut.add('with a body that is not recorded', position);
    this.requests += 1;
    if (row !== undefined) this.endpoints.add(`${row.method} ${row.path}`);
    this.#moveClock(exchange);
    // A server that has failed has most likely written nothing. Of its own failures, Backlot says what they changed.
    const isSent = response.status < 500 || own !== undefined;
    const replayed = isSent ? this.#send(request, response) : undefined;
    // Nobody got this response.
    if (own?.isDelivered === false) return;
    const about = {
      ...describe(withoutSecrets(request), row, place),
      entry: position,
      recorded: excerpt(response),
      replayed: replayed === undefined ? 'not sent, because the server failed' : excerpt(replayed),
    };
    await pause();
    const found = await this.#differencesOf(exchange, { request, replayed, place, about }, pause);
    this.findings.push(...found);
    if (replayed !== undefined && found.length > 0)
      this.#differences.set(this.#entry, differenceText(found));
  }

  async #differencesOf(
    exchange: RecordedExchange,
    { request, replayed, place, about }: Compared,
    pause: () => Promise<void>,
  ): Promise<ReplayFinding[]> {
    const { response, hasBody, hasHeaders, own } = exchange;
    const found = new Map<string, ReplayFinding>();
    // No contract holds for what a fault has answered.
    const broken = own?.isInjected === true ? [] : this.#brokenRules(exchange, request, place);
    for (const finding of broken) found.set(finding.at, shownFinding({ ...finding, ...about }));
    const report: Report = (kind, at, ...values) => {
      if (found.has(at) || found.size >= maxFindings) return;
      found.set(at, shownFinding({ ...about, ...findingOf(about, kind, at, ...values) }));
    };
    await pause();
    if (replayed !== undefined) {
      const noun = this.#known.nounOf(collectionIn(request.url));
      const isWrite = !['GET', 'HEAD', 'OPTIONS'].includes(request.method);
      const both = { recorded: response, replayed, hasBody, hasHeaders, isWrite, noun, place };
      new ResponseComparison(this.#known, both, report).run();
    }
    return [...found.values()];
  }

  trace() {
    const trace = this.#office.history.trace();
    const entries = trace.entries.map((entry) => {
      const reason = this.#differences.get(entry.id);
      return reason === undefined
        ? entry
        : { ...entry, outcome: { outcome: 'different' as const, reason } };
    });
    return { ...trace, entries };
  }

  /** Returns what is wrong with a response by the rules of the contract, as far as it is recorded. */
  #brokenRules(
    { response, hasBody, hasHeaders }: RecordedExchange,
    request: SentRequest,
    place: RecordedPlace,
  ): Finding[] {
    const { settings } = this.#office;
    const options = { ...place, api: this.#api, drift: this.#drift, settings };
    const findings = checkExchange({ request, response }, options);
    return findings.filter(
      ({ at, received }) =>
        (hasBody || !at.startsWith('body')) &&
        (hasHeaders || !at.startsWith('header')) &&
        !received.includes(mask),
    );
  }

  /** Brings the shop into the state that a request met, as far as an export of a history says it. */
  #enter(before: unknown, position: number): void {
    if (before === undefined) return;
    const state = beforeIn(before, this.#survey.place.apiPath);
    const { extends: base, name: scenario } =
      state !== undefined && 'state' in state ? state.state : {};
    const isFirst = this.count === 1;
    const isChosen = scenario !== this.#office.scenario.name;
    if (isFirst && this.#options.fromRecorded !== true && isChosen) return;
    try {
      if (state === undefined) throw new Problem('invalid', 'It cannot be read.');
      if (this.#options.asVisitor === true && base !== undefined && !this.#mayOpen(base))
        throw new Problem('forbidden', `This server opens no ${base}.`);
      enterState(this.#office, state, this.#options.settings ?? {});
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.#survey.leftOut.add('changes of the shop that cannot be made here', position);
      return;
    }
    if (!isFirst) return;
    this.#isEntered = true;
    this.#known.start = this.#office.clock.now();
  }

  #mayOpen(scenario: string): boolean {
    return [...visitorScenarios(this.#api), this.#begins].includes(scenario);
  }

  /** Sets the clock of the shop to the time of the server, less the shift between the two. */
  #moveClock(exchange: RecordedExchange): void {
    const { own, end } = exchange;
    const { clock } = this.#office;
    if (own !== undefined) {
      if (this.#lastWrite === undefined && !this.#isEntered)
        this.#known.shift = secondsBetween(clock.now(), own.at);
      this.#lastWrite ??= { time: own.at, end };
      // It may have been set back.
      this.#setClock(own.at, { isExact: true });
      return;
    }
    const time = writeTime(exchange);
    const last = this.#lastWrite;
    if (time !== undefined) {
      if (last === undefined) this.#known.shift = secondsBetween(clock.now(), time);
      if (last === undefined || time > last.time) this.#lastWrite = { time, end };
    }
    if (last === undefined) return;
    const isLater = this.#survey.isTicking && time === undefined;
    const elapsed = isLater ? (end ?? 0) - (last.end ?? end ?? 0) : 0;
    this.#setClock(time ?? last.time, { elapsed });
  }

  /** @param of.elapsed milliseconds since this time. @param of.isExact whether the server says it; else, its clock may be later */
  #setClock(time: string, { elapsed = 0, isExact = false }): void {
    const { clock } = this.#office;
    const date = new Date(toDate(time).getTime() - this.#known.shift * 1000 + elapsed);
    if (Number.isNaN(date.getTime())) return;
    try {
      const moved = toTimestamp(date);
      if (isExact ? moved !== clock.now() : moved > clock.now()) clock.set(moved);
    } catch (error) {
      // The clock of the server may be outside of the calendar of a shop.
      if (!(error instanceof Problem)) throw error;
    }
  }

  /** Does again what a request to the control API of a mock did. Its responses are not compared. */
  #control({ method, url, headers = {}, body }: SentRequest, position: number): void {
    const target = this.#known.urlOf(url);
    const sent = body === undefined ? {} : { body: this.#known.bodyOf(body) };
    const rights =
      this.#options.asVisitor === true
        ? { fixedStarts: true, scenarios: visitorScenarios(this.#api) }
        : {};
    const isLarge = this.#options.asVisitor === true && (body?.length ?? 0) > maxControl;
    const { status } = isLarge
      ? { status: 413 }
      : controlOf(this.#office, target, '', headers, rights).answer({
          method,
          url: target,
          headers,
          ...sent,
        });
    if (this.#options.asVisitor === true && [403, 404, 413].includes(status))
      this.#survey.leftOut.add('to the control API that this server does not do again', position);
  }

  /** Sends a request to the shop, with the ids, times and secrets that it has. */
  #send(request: SentRequest, recorded: RecordedExchange['response']): ParsedResponse {
    const { authorization, ...headers } = request.headers ?? {};
    const token = authorization?.replace(/^Bearer /i, '');
    const known = token && this.#known.textOf(token);
    this.#isGuarded = recorded.status === 401 || known !== undefined;
    const body = request.body && this.#known.bodyOf(request.body);
    const { status, ...answer } = this.#office.answer({
      method: request.method,
      url: this.#known.urlOf(request.url),
      headers: {
        ...headers,
        ...(authorization !== undefined && {
          authorization: known ? `Bearer ${known}` : authorization,
        }),
      },
      ...(body !== undefined && { body }),
    });
    const text = answer.body ?? '';
    return { status, headers: answer.headers, body: text, json: parseJson(text) };
  }

  /** Recordings of Backlot, and exports of its history, have no secrets. */
  #withSecrets(request: SentRequest, recorded: RecordedExchange['response']): SentRequest {
    const { body = '', headers = {} } = request;
    const { 'content-type': type = '' } = headers;
    const isForm = type.includes('x-www-form-urlencoded');
    const sent = isForm && isMaskedForm(body) ? formIn(body) : parseJson(body);
    if (sent === undefined) return request;
    const at = this.#office.clock.now();
    const cards = this.#api.testCards ?? [];
    const entry = { request: { body: sent }, answer: { body: recorded.json }, at };
    return { ...request, body: bodyToSend(entry, { 'content-type': type }, cards) };
  }
}

/** Two responses to one request. */
interface Compared {
  readonly request: SentRequest;
  readonly replayed: ParsedResponse | undefined;
  readonly place: RecordedPlace;
  readonly about: Omit<ReplayFinding, 'kind' | 'at' | 'expected' | 'received'>;
}

/** Whether a form has a parameter that has been masked. */
function isMaskedForm(body: string): boolean {
  return /=(?:\*|%2A){3}/i.test(body) || body.includes(notRecorded);
}

/** Returns the parameters of a form; undefined for one that a server refuses, too. */
function formIn(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return parseBrackets(body);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
