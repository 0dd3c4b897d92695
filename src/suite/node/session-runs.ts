import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson, valueAt } from '../../engine/lib/json-value.ts';
import type { Interceptor, ObservedOffice } from '../../engine/office/interceptor.ts';
import type { ApiResponse } from '../../engine/rest/message.ts';
import { eachItem, type FieldPath } from '../mutations.ts';
import { isSameCall } from '../calls.ts';
import { saysFailure } from '../messages.ts';
import { verdictOf } from '../oracles.ts';
import { raceEndOf, raceVerdict } from '../race-verdict.ts';
import { maxHold } from '../response-order.ts';
import type { PlainRun, RaceEnd, RecordedSubject, Trial, Verdict } from '../trials.ts';
import { WatchedRun, type Hit } from '../watched-run.ts';

/** Names the folder of a suite whose tests are run again. Servers and workers of the test runner inherit it. */
export const suiteVariable = 'BACKLOT_SUITE';

/**
 * The path of the requests by which a test begins a run (PUT), waits for held responses (GET) and ends the run (POST): below one
 * that servers of every API serve. What the test tells is in the file of its session.
 */
export const runPath = '/oauth/backlot-suite';

/** A header of the requests that a test itself sends: nothing is wrong with them, and they are no read of a page. */
export const ofTestHeader = 'x-backlot-of-test';

/** The file of a session. */
export function fileOf(folder: string, session: string): string {
  return join(folder, `${session}.json`);
}

/** What a test tells before a run. */
export interface RunStart {
  readonly trial: Trial | undefined;
}

/** What a test tells after a run. */
export interface RunReport {
  /** What its pages show; undefined without a page. */
  readonly texts: readonly string[] | undefined;
  /** All that they have shown when they sent a request. */
  readonly shown: readonly string[];
  readonly error: string | undefined;
  readonly uncaught: readonly string[];
  /** Requests of its pages with what they showed. */
  readonly sent: readonly SentRequest[];
  /** The JSON texts that its pages have parsed, with the fields that they have read. */
  readonly parsed: readonly (readonly [text: string, read: readonly FieldPath[]])[];
  /** What the test does as it is, for the verdict on a fault. */
  readonly plain: PlainRun | undefined;
}

interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly texts: readonly string[];
}

/** What a server tells after a run. */
export interface RunResult {
  readonly subjects: readonly RecordedSubject[];
  readonly plain: PlainRun;
  readonly isApplied: boolean | undefined;
  readonly verdict: Verdict | undefined;
  /** The end of a run whose responses are held. */
  readonly race: RaceEnd | undefined;
}

/** Watches the sessions of a server in which tests run, each with its trial. */
export class SessionRuns implements Interceptor {
  readonly #folder: string;
  readonly #runs = new WeakMap<ObservedOffice, WatchedRun>();

  /** @param folder where tests leave what they tell */
  constructor(folder: string) {
    this.#folder = folder;
  }

  readonly answer: Interceptor['answer'] = (office, request, next) => {
    if (request.url === runPath) return this.#answerTest(office, request.method);
    const run = this.#runs.get(office);
    if (run === undefined || request.headers[ofTestHeader] !== undefined) return next(request);
    return run.answer(office, request, next);
  };

  #answerTest(office: ObservedOffice, method: string): ApiResponse {
    if (method === 'GET') return settled(this.#runs.get(office));
    const told = readFileSync(fileOf(this.#folder, office.session ?? ''), 'utf8');
    if (method === 'PUT') {
      const { trial } = JSON.parse(told) as RunStart;
      this.#runs.set(office, new WatchedRun(trial, undefined, { isRemote: true }));
      return noContent;
    }
    const result = this.#end(office, JSON.parse(told) as RunReport);
    const headers = { 'content-type': 'application/json' };
    return { status: 200, headers, body: JSON.stringify(result) };
  }

  #end(office: ObservedOffice, report: RunReport): RunResult | undefined {
    const run = this.#runs.get(office);
    if (run === undefined) return undefined;
    this.#runs.delete(office);
    noteReads(run, new Map(report.parsed));
    run.evidence.uncaught.push(...report.uncaught);
    const { texts, shown, plain } = report;
    const race = run.responses && raceEndOf(run, texts);
    const result = {
      subjects: run.trial === undefined ? run.bodies.subjects : [],
      plain: run.plain(texts && [...shown, ...texts], texts?.some(saysFailure)),
      isApplied: run.bodies.isApplied,
      verdict: race ? raceVerdict(run, race, plain) : plain && verdictOn(run, report, plain),
      race,
    };
    office.releaseAll();
    return result;
  }
}

const noContent: ApiResponse = { status: 204, headers: {} };

/** Returns the response that is sent when all responses of a run are. */
function settled(run: WatchedRun | undefined): ApiResponse {
  if (run?.responses === undefined) return noContent;
  const { responses } = run;
  const answer = (): Promise<ApiResponse> => responses.settle().then(() => noContent);
  return { ...noContent, deferred: { timeout: maxHold, answer } };
}

function verdictOn(run: WatchedRun, report: RunReport, plain: PlainRun): Verdict {
  const { texts, error } = report;
  const { hit, trial } = run;
  if (hit === undefined || trial === undefined) return verdictOf(run, { texts, error }, plain);
  const shown = shownAtHit(run, hit, report.sent);
  run.hit = { ...hit, shown };
  // The browser waits for a page that a server renders, and shows that it does.
  const isLoading = shown === undefined && 'fault' in trial && trial.fault === 'slow';
  return verdictOf(run, { texts, error, isLoading }, plain);
}

/** Returns what the page showed when it sent the request with the fault; undefined if a server or the test sent it. */
function shownAtHit(
  { requests }: WatchedRun,
  { call, method, url }: Hit,
  sent: readonly SentRequest[],
): readonly string[] | undefined {
  const at = requests.all.findIndex((one) => isSameCall(requests.callOf(one), call));
  const before = requests.all.slice(0, at);
  const nth = before.filter((one) => one.method === method && one.url === url).length;
  return sent.filter((one) => one.method === method && pathOf(one.url) === url)[nth]?.texts;
}

/** Returns the path and the query of a URL without the path of a session. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url, 'http://localhost');
  return `${pathname.replace(/^\/s\/[^/]+/, '')}${search}`;
}

/** Notes which fields pages have read. Of a body that no page has parsed, something else may have read all. */
function noteReads(
  { bodies }: WatchedRun,
  parsed: ReadonlyMap<string, readonly FieldPath[]>,
): void {
  for (const text of bodies.delivered) {
    const value = bodies.observe(text, parseJson(text));
    const paths = parsed.get(text);
    if (paths === undefined) JSON.stringify(value);
    for (const path of paths ?? []) read(value, path);
  }
}

function read(value: unknown, [key, ...rest]: FieldPath): void {
  if (key === undefined) return;
  if (key !== eachItem) return read(valueAt(value, [key]), rest);
  if (Array.isArray(value)) for (const item of value) read(item, rest);
}
