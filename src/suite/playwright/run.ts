import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type { BrowserContext, TestInfo } from '@playwright/test';
import { ofTest } from '../../engine/office/trace/trace-format.ts';
import type { FieldPath } from '../mutations.ts';
import type { PageEvent, WatchedPage } from '../page-script.ts';
import { traceName } from '../trial-runs.ts';
import type { Attempt, RecordedSubject, PlainRun, TestTrials, Trials } from '../trials.ts';
import { saveTraceAs } from '../../mounts/node/save-trace.ts';
import type { RemoteOffice } from '../../mounts/remote/office.ts';
import {
  fileOf,
  ofTestHeader,
  runPath,
  type RunReport,
  type RunResult,
  type RunStart,
} from '../node/session-runs.ts';
import { wait } from '../../mounts/fetch/wait.ts';

/** The name of the attachment with what came out of a run. */
export const attachmentName = 'backlot-suite';

/** The file of the trials, in the folder of a suite. */
export const trialsFile = 'trials.json';

/** How long a page may take to say what it shows, in milliseconds. One with an open dialog never does. */
const maxLook = 2000;

/** A test whose pages never stop to send requests ends after so many times that for which others may be quiet. */
const maxQuiets = 5;

/** What came out of one run of a test. */
export interface RunOutcome {
  /** Its number: 0 for the first. */
  readonly at: number;
  readonly attempt: Attempt;
  readonly subjects: readonly RecordedSubject[];
  readonly plain: PlainRun;
}

/** Returns the id of a test. @param titles its file, its groups and its own title */
export function testId(project: string, titles: readonly string[]): string {
  return [...(project === '' ? [] : [`[${project}]`]), ...titles].join(' › ');
}

/** Returns the run of a test, which is skipped if there is no trial for it. */
export function openTestRun(folder: string, testInfo: TestInfo): TestRun {
  const trials = JSON.parse(readFileSync(join(folder, trialsFile), 'utf8')) as Trials;
  const run = new TestRun(folder, testInfo, trials);
  const { tried } = run;
  testInfo.skip(tried !== undefined && run.trial === undefined, 'All trials have been run.');
  return run;
}

/** One run of a test of a suite that is run again and again. */
export class TestRun {
  /** The trials of the test; undefined if it runs as it is. */
  readonly tried: TestTrials | undefined;
  readonly #folder: string;
  readonly #testInfo: TestInfo;
  readonly #traces: string | undefined;
  readonly #uncaught: string[] = [];
  readonly #sent: RunReport['sent'][number][] = [];
  readonly #parsed = new Map<string, { readonly text: string; readonly read: FieldPath[] }>();
  #office: RemoteOffice | undefined;
  #texts: readonly string[] | undefined;
  /** When the test itself has begun, and when it has ended, in milliseconds. */
  #start = 0;
  #end: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(folder: string, testInfo: TestInfo, { byTest, traces }: Trials) {
    this.#folder = folder;
    this.#testInfo = testInfo;
    this.#traces = traces;
    this.tried = byTest?.[testId(testInfo.project.name, testInfo.titlePath)];
  }

  get trial(): TestTrials['trials'][number] | undefined {
    return this.tried?.trials[this.#testInfo.repeatEachIndex];
  }

  /** Tells the server which trial the session has. @throws Error for a server that does not watch sessions */
  async begin(office: RemoteOffice, url: string): Promise<void> {
    const start: RunStart = { trial: this.trial };
    const response = await this.#tell(office, 'PUT', start);
    if (!response.ok) throw new Error(foreignServer(url));
    this.#office = office;
    this.#start = performance.now();
  }

  /** Headers of the requests that the test itself sends. */
  readonly headersOfTest = { [ofTestHeader]: 'yes' } as const;

  /** Returns a back office whose `fetch` sends requests of the test itself. */
  ofTest(office: RemoteOffice): RemoteOffice {
    const headersOf = ({ headers }: RequestInit): Headers => {
      const all = new Headers(headers);
      for (const [name, value] of Object.entries(this.headersOfTest)) all.set(name, value);
      return all;
    };
    const fetch: RemoteOffice['fetch'] = (path, init = {}) =>
      office.fetch(path, { ...init, headers: headersOf(init) });
    return { ...office, fetch };
  }

  /** Has the pages of a context tell what they show, send and read. */
  async watch(context: BrowserContext): Promise<void> {
    context.on('weberror', (error) => {
      const { name, message } = error.error();
      this.#uncaught.push(`${name}: ${message}`);
    });
    await context.exposeBinding('backlotTell', (_, event: PageEvent) => this.#note(event));
    const path = fileURLToPath(import.meta.resolve('#pages/suite.js'));
    await context.addInitScript({ path });
    this.#start = performance.now();
    if (this.tried !== undefined) this.#limit(context, this.tried.limit);
  }

  /**
   * Ends the test when its pages have sent and received nothing for a time in milliseconds, because it waits for what a trial
   * prevents; or after a multiple of this time. Playwright would wait for many seconds.
   */
  #limit(context: BrowserContext, limit: number): void {
    const end = async (): Promise<void> => {
      await this.look(context);
      await context.close({ reason: `The page has sent and received nothing for ${limit} ms.` });
    };
    const last = this.#start + maxQuiets * limit;
    const restart = (): void => {
      clearTimeout(this.#timer);
      if (this.#end !== undefined) return;
      const ms = Math.min(limit, last - performance.now());
      this.#timer = setTimeout(() => void end(), ms);
    };
    context.on('request', restart);
    context.on('response', restart);
    restart();
  }

  #note(event: PageEvent): void {
    if (event.kind === 'sent') this.#sent.push(event);
    else if (event.kind === 'parsed') this.#parsed.set(event.id, { text: event.text, read: [] });
    else this.#parsed.get(event.id)?.read.push(event.path);
  }

  /** Notes what the pages show when the test has ended, and all responses have arrived. */
  async look(context: BrowserContext): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#end !== undefined) return;
    this.#end = performance.now();
    await this.#office?.fetch(runPath);
    const pages = context.pages().map((one) => {
      const texts = one.evaluate(() => {
        const page: typeof globalThis & Partial<WatchedPage> = globalThis;
        return page.backlotTexts?.();
      });
      return Promise.race([texts.catch(() => undefined), wait(maxLook)]);
    });
    const shown = await Promise.all(pages);
    if (pages.length > 0) this.#texts = shown.flatMap((texts) => texts ?? []);
  }

  /** Has the server judge the run, and leaves what came out for the reporter. */
  async end(office: RemoteOffice): Promise<void> {
    const testInfo = this.#testInfo;
    const ms = (this.#end ?? performance.now()) - this.#start;
    const isFailed = testInfo.status !== testInfo.expectedStatus;
    const error = isFailed ? errorOf(testInfo) : undefined;
    const texts = this.#texts;
    const report: RunReport = {
      texts,
      shown: this.#sent.flatMap((one) => one.texts),
      error,
      uncaught: this.#uncaught,
      sent: this.#sent,
      parsed: Array.from(this.#parsed.values(), ({ text, read }) => [text, read]),
      plain: this.tried?.plain,
    };
    const response = await this.#tell(office, 'POST', report);
    const { subjects, plain, isApplied, verdict, race } = (await response.json()) as RunResult;
    const attempt: Attempt = {
      ms,
      error,
      texts,
      isApplied,
      race,
      ...(verdict && {
        verdict: { ...verdict, trace: await this.#saveTrace(office, verdict) },
      }),
    };
    const at = testInfo.repeatEachIndex;
    const outcome: RunOutcome = { at, attempt, subjects, plain };
    const body = JSON.stringify(outcome);
    await testInfo.attach(attachmentName, { body, contentType: 'application/json' });
    // Playwright starts another process after a failure that it does not expect, which takes longer than most tests.
    if (this.tried !== undefined && testInfo.status !== undefined)
      testInfo.expectedStatus = testInfo.status;
  }

  #tell(
    office: RemoteOffice,
    method: 'PUT' | 'POST',
    told: RunStart | RunReport,
  ): Promise<Response> {
    writeFileSync(fileOf(this.#folder, office.session), JSON.stringify(told));
    return office.fetch(runPath, { method });
  }

  /** Returns the file of the trace of a red verdict. */
  async #saveTrace(
    office: RemoteOffice,
    { tone, reason }: NonNullable<RunResult['verdict']>,
  ): Promise<string | undefined> {
    if (tone !== 'red' || this.#traces === undefined) return undefined;
    const trace = await office.history.trace().catch(() => undefined);
    if (trace === undefined) return undefined;
    const { titlePath } = this.#testInfo;
    const name = traceName(`${titlePath.join(' ')} ${this.trial?.id ?? ''}`);
    return saveTraceAs(ofTest(trace, titlePath.join(' › '), [reason]), `${this.#traces}/${name}`);
  }
}

/** Says that a server was started by something else than the command. */
function foreignServer(url: string): string {
  return `The server at ${url} was running before. Stop it: the command requires that webServer of the configuration starts it.`;
}

/** Returns that message if an error of a test has it. */
export function foreignServerIn(message: string): string | undefined {
  return /The server at \S* was running before\..*/.exec(message)?.[0];
}

/** Returns the message of the first failure. */
function errorOf({ errors }: TestInfo): string {
  return stripVTControlCharacters(errors[0]?.message ?? 'The test has failed.');
}
