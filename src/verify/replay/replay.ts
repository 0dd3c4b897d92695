import type { AnyScenario, BackOffice } from '../../engine/office/back-office.ts';
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
import { mask, redactText, redactUrl } from '../../engine/journal/redaction.ts';
import { parseBrackets } from '../../engine/rest/body.ts';
import type { Trace } from '../../engine/office/trace/trace-format.ts';
import { openBackOffice } from '../../engine/office/open-back-office.ts';
import { bodyOf } from '../../engine/office/export/request-text.ts';
import { withSubstitutes } from '../../engine/office/export/sent-lines.ts';
import { tablesOf } from '../../engine/store/database.ts';
import { controlOf } from '../../mounts/office-control.ts';
import { checkExchange, describe, matchRequest } from '../drift/exchange.ts';
import { findingOf, shown, type Finding } from '../drift/finding.ts';
import { madeUp, ResponseComparison } from './compare.ts';
import { Counterparts, nounIn } from './counterparts.ts';
import { recordsOfReads, scenarioOfRecords } from './first-records.ts';
import { exchangeOf, type RecordedExchange } from './har-entry.ts';
import { nameOf, readHar, type Recording } from './har-file.ts';
import { contractUrl, surveyRecording, writeTime, type Survey } from './survey.ts';

export interface ReplayOptions {
  readonly api: ApiDefinition;
  /** The path of the API of the server (default: `/api`). */
  readonly apiPath?: string | undefined;
  /** The shop as the recording begins; `auto` for the records that its reads show (default: `default`). */
  readonly scenario?: AnyScenario | undefined;
  /** Settings of the server in addition to those of the scenario. */
  readonly settings?: KnownSettings | undefined;
  /** Number of findings after which the replay ends (default: unlimited). */
  readonly maxFindings?: number | undefined;
  /** Receives the number of requests with each of them. The next one waits for it. */
  readonly onRequest?: ((count: number) => Promise<void> | void) | undefined;
}

/** A difference between a recorded response and the contract, or that of the replay. */
export interface ReplayFinding extends Finding {
  /** The position of the request in its file, from 1. */
  readonly entry: number;
  /** Status and body, without secrets, shortened. */
  readonly recorded: string;
  readonly replayed: string;
}

/** The result of replaying one recording. */
export interface Replay {
  readonly file: string;
  /** The server: `https://shop.test/backend`. */
  readonly url: string;
  readonly findings: readonly ReplayFinding[];
  /** Number of requests replayed, and of endpoints that they met. */
  readonly requests: number;
  readonly endpoints: number;
  /** How many entries were not replayed, by the reason: `{ "aborted": 2 }`. */
  readonly leftOut: Readonly<Record<string, number>>;
}

/** A replay with the trace of the shop that the requests were sent to. */
export interface TracedReplay extends Replay {
  /** The outcome of an entry says how the recorded response differs. */
  readonly trace: Trace;
}

/** Number of requests that a trace has at most: the last ones. */
const maxTraced = 10_000;

/**
 * Sends the requests of an HTTP archive to a shop of its own, and compares each recorded response with the contract and with
 * that of the shop.
 *
 * @throws RecordingError if the file cannot be replayed
 */
export function replayRecording(recording: Recording, options: ReplayOptions): Promise<Replay>;
export function replayRecording(
  recording: Recording,
  options: ReplayOptions & { readonly isTraced: true },
): Promise<TracedReplay>;
export async function replayRecording(
  recording: Recording,
  options: ReplayOptions & { readonly isTraced?: true },
): Promise<Replay | TracedReplay> {
  const { api, apiPath = namedPath, maxFindings = Infinity, onRequest } = options;
  const survey = await surveyRecording(recording, api, apiPath);
  const scenario =
    options.scenario === 'auto'
      ? scenarioOfRecords(await recordsOfReads(inOrder(recording, survey), survey.place, api), api)
      : options.scenario;
  const run = new ReplayRun(survey, { ...options, scenario }, await api.drift?.());
  for await (const exchange of inOrder(recording, survey)) {
    run.replay(exchange);
    await onRequest?.(run.requests);
    if (run.findings.length >= maxFindings) break;
  }
  return {
    file: nameOf(recording),
    url: `${survey.place.origin}${survey.place.prefix}`,
    findings: run.findings,
    requests: run.requests,
    endpoints: run.endpoints.size,
    leftOut: Object.fromEntries(survey.leftOut),
    ...(options.isTraced === true && { trace: run.trace() }),
  };
}

/** Reads the requests of a recording in the order of their responses. Only those are in memory that wait for an earlier one. */
export async function* inOrder(
  recording: Recording,
  { order }: Survey,
): AsyncGenerator<RecordedExchange> {
  const places = new Map(order.map((position, place) => [position, place]));
  const waiting = new Map<number, RecordedExchange>();
  let [position, next] = [0, 0];
  for await (const read of readHar(recording)) {
    position += 1;
    const place = places.get(position);
    if (place === undefined || 'leftOut' in read) continue;
    const exchange = exchangeOf(read.value, position, recording);
    if (typeof exchange !== 'string') waiting.set(place, exchange);
    for (let ready = waiting.get(next); ready !== undefined; ready = waiting.get(next)) {
      waiting.delete(next);
      next += 1;
      yield ready;
    }
  }
}

class ReplayRun {
  readonly findings: ReplayFinding[] = [];
  readonly endpoints = new Set<string>();
  requests = 0;
  readonly #survey: Survey;
  readonly #api: ApiDefinition;
  readonly #drift: DriftDefinition | undefined;
  readonly #office: BackOffice;
  readonly #known: Counterparts;
  /** The last write of the server: its time, and when the client received the response. */
  #lastWrite: { readonly time: string; readonly end: number } | undefined;
  /** Whether the next request requires a token. */
  #isGuarded = false;
  /** The last entry of the history. */
  #entry = 0;
  /** What differs, by the entry of the history. */
  readonly #differences = new Map<number, string>();

  constructor(
    survey: Survey,
    { api, scenario, settings, isTraced = false }: ReplayOptions & { readonly isTraced?: boolean },
    drift: DriftDefinition | undefined,
  ) {
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
      settings: { ...settings, journalSize: isTraced ? maxTraced : 0 },
      history: isTraced,
    });
    if (isTraced) this.#office.history.on(({ id }) => (this.#entry = id));
    this.#office.faults.clear();
    this.#known = new Counterparts(api, this.#office.clock.now(), idTest(this.#office));
  }

  replay(exchange: RecordedExchange): void {
    const { place } = this.#survey;
    const { position, response, hasBody, hasHeaders } = exchange;
    const url = contractUrl(exchange.url, place);
    const request = this.#withSecrets({ ...exchange.request, url }, response);
    if (isControl(request.url)) {
      if (response.status < 400) this.#control(request);
      return;
    }
    const { row } = matchRequest(request, { api: this.#api });
    this.requests += 1;
    if (row !== undefined) this.endpoints.add(`${row.method} ${row.path}`);
    this.#moveClock(exchange);
    // A server that has failed has most likely written nothing.
    const replayed = response.status < 500 ? this.#send(request, response) : undefined;
    const about = {
      ...describe(withoutSecrets(request), row, place),
      entry: position,
      recorded: excerpt(response),
      replayed: replayed === undefined ? 'not sent, because the server failed' : excerpt(replayed),
    };
    const found = new Map<string, ReplayFinding>();
    for (const finding of this.#brokenRules(exchange, request))
      found.set(finding.at, shownFinding({ ...finding, ...about }));
    const report: Report = (kind, at, ...values) => {
      if (!found.has(at))
        found.set(at, shownFinding({ ...about, ...findingOf(about, kind, at, ...values) }));
    };
    if (replayed !== undefined) {
      const noun = this.#known.nounOf(collectionIn(request.url));
      const isWrite = !['GET', 'HEAD', 'OPTIONS'].includes(request.method);
      const both = { recorded: response, replayed, hasBody, hasHeaders, isWrite, noun, place };
      new ResponseComparison(this.#known, both, report).run();
    }
    this.findings.push(...found.values());
    if (replayed !== undefined && found.size > 0)
      this.#differences.set(this.#entry, differenceText([...found.values()]));
  }

  trace(): Trace {
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
  ): Finding[] {
    const { settings } = this.#office;
    const options = { ...this.#survey.place, api: this.#api, drift: this.#drift, settings };
    const findings = checkExchange({ request, response }, options);
    return findings.filter(
      ({ at }) => (hasBody || !at.startsWith('body')) && (hasHeaders || !at.startsWith('header')),
    );
  }

  /** Sets the clock of the shop to the time of the server, less the shift between the two. */
  #moveClock(exchange: RecordedExchange): void {
    const { clock } = this.#office;
    const time = writeTime(exchange);
    const last = this.#lastWrite;
    if (time !== undefined) {
      if (last === undefined) this.#known.shift = secondsBetween(clock.now(), time);
      if (last === undefined || time > last.time) this.#lastWrite = { time, end: exchange.end };
    }
    if (last === undefined) return;
    const elapsed = this.#survey.isTicking ? exchange.end - last.end : 0;
    const now = toDate(time ?? last.time).getTime() + (time === undefined ? elapsed : 0);
    const moved = toTimestamp(new Date(now - this.#known.shift * 1000));
    if (moved > clock.now()) clock.set(moved);
  }

  /** Does again what a request to the control API of a mock did. Its responses are not compared. */
  #control({ method, url, headers = {}, body }: SentRequest): void {
    const target = this.#known.urlOf(url);
    const sent = body === undefined ? {} : { body: this.#known.bodyOf(body) };
    controlOf(this.#office, target, '', headers).answer({ method, url: target, headers, ...sent });
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
    const sent = isForm && isMaskedForm(body) ? parseBrackets(body) : parseJson(body);
    if (sent === undefined) return request;
    const at = this.#office.clock.now();
    const cards = this.#api.testCards ?? [];
    const filled = withSubstitutes(sent, { body: recorded.json }, at, cards);
    return { ...request, body: bodyOf(filled, { 'content-type': type }) };
  }
}

/** Whether a form has a parameter that has been masked. */
function isMaskedForm(body: string): boolean {
  return /=(?:\*|%2A){3}/i.test(body);
}

/** Returns a function that tells by an id whether a record was made after now. Records that no table has are always new. */
function idTest({ shop }: BackOffice): (noun: string, id: number | string) => boolean {
  const next = new Map<string, number>();
  for (const { definition, state } of tablesOf(shop.db).all()) {
    const noun = nounIn(definition.singular);
    next.set(noun, Math.min(next.get(noun) ?? Infinity, state.nextId));
  }
  return (noun, id) => typeof id === 'string' || id >= (next.get(noun) ?? 0);
}

/** Returns the last name in a path: `orders` of `/api/orders/122/`. */
function collectionIn(url: string): string {
  const names = url
    .replace(/[?#].*/s, '')
    .split('/')
    .filter((part) => /^[a-z]/i.test(part));
  return names.at(-1) ?? '';
}

/** A recording has the secrets of its users, a report has none. */
function withoutSecrets({ url, body, ...request }: SentRequest): SentRequest {
  return { ...request, url: redactUrl(url), body: body && redactText(body) };
}

function shownFinding(finding: ReplayFinding): ReplayFinding {
  const [expected, received] = [finding.expected, finding.received].map((value) =>
    finding.kind !== 'error' && madeUp.test(finding.at) ? mask : redactText(value),
  );
  return { ...finding, expected: expected ?? '', received: received ?? '' };
}

/** Number of differences of a request that its entry in a trace has at most. */
const maxShown = 20;

function differenceText(findings: readonly ReplayFinding[]): string {
  const lines = findings
    .slice(0, maxShown)
    .map((one) => `${one.at}: recorded ${one.received}, expected ${one.expected} (${one.kind})`);
  const more = findings.length - lines.length;
  const recorded = findings.slice(0, 1).map((one) => `Recorded response: ${one.recorded}`);
  return [...lines, ...(more > 0 ? [`and ${more} more`] : []), ...recorded].join('\n');
}

function excerpt({ status, body, json }: RecordedExchange['response']): string {
  const text = json === undefined ? body : shown(json);
  return redactText(body === '' ? String(status) : `${status} ${text}`);
}
