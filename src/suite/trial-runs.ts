import { intercept, type Interceptor } from '../engine/office/interceptor.ts';
import { ofTest, type Trace } from '../engine/office/trace/trace-format.ts';
import { isSilent } from './caller-verdict.ts';
import { observeParsing } from './json-reads.ts';
import { saysFailure } from './messages.ts';
import { saysNothing, verdictOf } from './oracles.ts';
import { beginPage, pageTexts, showsAlert, watchElements, type PageHost } from './page-texts.ts';
import { raceEndOf, raceVerdict } from './race-verdict.ts';
import type { ThrownError } from './thrown-error.ts';
import type { Attempt, RaceEnd, RecordedTest, TestTrials, Trials, Verdict } from './trials.ts';
import { userOracles } from './user-oracles.ts';
import { userVerdict, type Within } from './user-verdict.ts';
import type { RunEnd } from './verdicts.ts';
import { WatchedRun } from './watched-run.ts';

/** Number of times that a test runs as it is: one that comes out differently is flaky. */
export const plainRuns = 2;

/** How long Testing Library waits in these runs, in milliseconds: three times its default, because other files load meanwhile. */
const plainWait = 3000;

/** A test may leave fake timers behind, which replace the clock, too. */
const [setRealTimeout, clearRealTimeout] = [setTimeout, clearTimeout];
const realTime = performance.now.bind(performance);

/** Packages whose `configure` says how long they wait for what does not come. */
export const testingLibraries = ['react', 'vue', 'svelte', 'preact', 'angular', 'dom'].map(
  (name) => `@testing-library/${name}`,
);

interface JudgeOptions {
  /** The error of the failure. */
  readonly thrown?: ThrownError | undefined;
  /** Passes milliseconds for a page whose timers are fake. */
  readonly passFakeTime?: (ms: number) => Promise<void>;
  /** Calls a function of the user as the test is called. */
  readonly inContext?: (work: () => unknown) => unknown;
}

/** Saves a trace under a path without its ending. Returns the name of the file. */
export type SaveAs = (trace: Trace, path: string) => Promise<string>;

/** Runs the tests of a file twice as they are, or once for each trial. The runner of the user says when a run begins and ends. */
export class TrialRuns {
  readonly trials: Trials;
  /** The global object of the tests. */
  readonly host: typeof globalThis;
  readonly saveAs: SaveAs;
  /** Mutants that an earlier test of the file has noticed. */
  readonly noticed = new Set<string>();

  constructor(trials: Trials, saveAs: SaveAs, host = globalThis) {
    this.trials = trials;
    this.saveAs = saveAs;
    this.host = host;
  }

  /**
   * Watches requests, responses and what is read of them.
   *
   * @param current returns the run that is in progress
   * @returns the function that ends it
   */
  watch(current: () => WatchedRun | undefined): () => void {
    const answer: Interceptor['answer'] = (office, request, next) =>
      current()?.answer(office, request, next) ?? next(request);
    intercept({ answer }, this.host);
    userOracles(this.host).onExpectation = (one) => void current()?.evidence.expectations.push(one);
    const forget = watchElements(this.host);
    const restore =
      this.trials.byTest === undefined
        ? observeParsing(
            (text, value) => current()?.bodies.observe(text, value) ?? value,
            this.host,
          )
        : undefined;
    return () => {
      intercept(undefined, this.host);
      userOracles(this.host).onExpectation = undefined;
      forget();
      restore?.();
    };
  }

  /** Returns the number of runs of a test; 0 if it is skipped. */
  countOf(id: string): number {
    const { byTest, isOnce = false } = this.trials;
    if (byTest !== undefined) return byTest[id]?.trials.length ?? 0;
    return isOnce ? 1 : plainRuns;
  }

  /** Returns how long Testing Library waits in the runs of a test for what does not come, in milliseconds. */
  waitOf(id: string): number {
    return this.trials.byTest?.[id]?.wait ?? plainWait;
  }

  /** Waits for the failures that an ended trial has left behind, before the next one begins. */
  async settle(): Promise<void> {
    if (this.trials.byTest === undefined) return;
    await new Promise((done) => {
      setRealTimeout(done, 20);
    });
  }
}

/** Returns how often a page that says nothing is looked at again, 20 ms later, or a caller whose test may have ended before it logs. */
function turnsFor(verdict: Verdict): number {
  if (isSilent(verdict)) return 2;
  return saysNothing(verdict) ? 10 : 0;
}

interface TestNames {
  /** With the names of its groups. */
  readonly name: string;
  readonly file: string;
}

/** The runs of one test. */
export class RepeatedTest {
  readonly #runs: TrialRuns;
  readonly id: string;
  readonly #test: TestNames;
  readonly #attempts: Attempt[] = [];
  #first: WatchedRun | undefined;
  /** The errors of each run that nobody catches. */
  readonly #uncaught: (readonly string[])[] = [];
  /** The run in progress, or the last one. */
  watched: WatchedRun | undefined;
  #at = 0;
  #start = 0;
  #texts: readonly string[] | undefined;
  #verdict: Verdict | undefined;
  /** Whether the page says at the end of the first run that something went wrong. */
  #showsError = false;
  /** The end of a run whose responses are held. */
  #race: RaceEnd | undefined;

  constructor(runs: TrialRuns, id: string, test: TestNames) {
    this.#runs = runs;
    this.id = id;
    this.#test = test;
  }

  /** The trials of the test, and their limits; undefined if it runs as it is. */
  get tried(): TestTrials | undefined {
    return this.#runs.trials.byTest?.[this.id];
  }

  /** Whether an earlier test has noticed the mutant of the run in progress, which need not run. */
  get isNoticed(): boolean {
    const trial = this.watched?.trial;
    return trial !== undefined && this.#runs.noticed.has(trial.id);
  }

  /** Begins a run. @param at its number: 0 for the first */
  begin(at: number): void {
    beginPage(this.#runs.host);
    this.watched = new WatchedRun(this.tried?.trials[at], this.#runs.host, {
      file: this.#test.file,
    });
    this.#at = at;
    this.#start = realTime();
    this.#texts = undefined;
    this.#verdict = undefined;
    this.#race = undefined;
    this.#first ??= this.watched;
    this.#uncaught.push(this.watched.evidence.uncaught);
  }

  /**
   * Judges a run whose function has ended, before hooks clean its page up.
   *
   * @param error the message of its failure
   */
  async judge(
    error: string | undefined,
    { thrown, passFakeTime, inContext = (work) => work() }: JudgeOptions = {},
  ): Promise<void> {
    const { watched } = this;
    await watched?.responses?.settle(passFakeTime);
    const texts = pageTexts(this.#runs.host);
    this.#texts = texts;
    this.#showsError ||= this.watched === this.#first && saysError(texts, this.#runs.host);
    const call: Within = (work) => within(this.tried?.limit, () => inContext(work));
    const end = { texts, error, thrown };
    const verdict = watched && (await this.#verdictOn(watched, end, call));
    if (watched === undefined || verdict === undefined) return;
    this.#verdict = { ...verdict, trace: await this.#saveTrace(watched, verdict) };
    watched.hit?.release();
  }

  async #verdictOn(watched: WatchedRun, end: RunEnd, call: Within): Promise<Verdict | undefined> {
    const { responses, trial } = watched;
    if (responses !== undefined) {
      this.#race = raceEndOf(watched, end.texts);
      return raceVerdict(watched, this.#race, this.tried?.plain);
    }
    const plain = this.tried?.plain;
    if (trial === undefined || !('fault' in trial) || plain === undefined) return undefined;
    let verdict = verdictOf(watched, end, plain);
    // An assertion may fail before the page has said what went wrong, above all on a busy machine.
    for (let turn = 0; turn < turnsFor(verdict); turn += 1) {
      await this.#runs.settle();
      verdict = verdictOf(watched, { ...end, texts: pageTexts(this.#runs.host) }, plain);
    }
    return userVerdict(watched, { ...end, texts: pageTexts(this.#runs.host) }, verdict, call);
  }

  /** Returns the file of the trace of a red verdict. */
  async #saveTrace(
    { hit, trial }: WatchedRun,
    { tone, reason }: Verdict,
  ): Promise<string | undefined> {
    const { traces } = this.#runs.trials;
    const { history } = hit?.office ?? {};
    if (tone !== 'red' || traces === undefined || history?.isOn !== true) return undefined;
    const trace = ofTest(history.trace(), this.#test.name, [reason]);
    const name = traceName(`${this.id} ${trial?.id ?? ''}`);
    return this.#runs.saveAs(trace, `${traces}/${name}`);
  }

  /** Notes what came out of the run in progress. @param error the message of its first failure */
  end(error: string | undefined): void {
    const { trial, bodies: { isApplied } = {} } = this.watched ?? {};
    const ms = this.isNoticed ? 0 : realTime() - this.#start;
    if (error !== undefined && trial !== undefined && isApplied === true)
      this.#runs.noticed.add(trial.id);
    const verdict = this.#verdict;
    const race = this.#race;
    this.#attempts[this.#at] = { ms, error, texts: this.#texts, isApplied, verdict, race };
  }

  /** What came out of all runs. */
  get recorded(): RecordedTest {
    const plain = this.#first?.plain(this.#attempts[0]?.texts, this.#showsError);
    return {
      attempts: this.#attempts,
      subjects: (this.tried === undefined ? this.#first?.bodies.subjects : undefined) ?? [],
      plain: plain && { ...plain, uncaught: this.#uncaught.flat() },
      ...(this.#runs.trials.isOnce === true && { received: this.#first?.received }),
    };
  }
}

/** Awaits a test, which hangs after a time in milliseconds (default: that of vitest). */
export async function within(limit: number | undefined, run: () => unknown): Promise<unknown> {
  if (limit === undefined) return await run();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setRealTimeout(() => reject(new Error(`Test timed out in ${limit} ms.`)), limit);
  });
  try {
    return await Promise.race([run(), late]);
  } finally {
    clearRealTimeout(timer);
  }
}

/** Returns a name for the file of a trace: letters, digits and `-`. The end of a long text names the fault. */
export function traceName(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const name = words.join('-');
  return name.length > 150 ? `${name.slice(0, 75)}-${name.slice(-74)}` : name;
}

function saysError(texts: readonly string[] = [], host: PageHost): boolean {
  return texts.some(saysFailure) || showsAlert(host);
}
