import {
  controlMutant,
  planMutants,
  subjectsOf,
  type Mutant,
  type Subject,
} from './mutant-plan.ts';
import { lostFirst } from './ended-run.ts';
import { ofControl } from './page-texts.ts';
import type { ResponseRules } from './response-rules.ts';
import { partOf, type PlanPart } from './shard.ts';
import { isInScope } from './since.ts';
import type { AssertionStyle, SuiteRunner, SuiteTest, TestRuns } from './suite-runner.ts';
import type { Attempt, TestTrials, Trial } from './trials.ts';
import {
  limitsOf,
  msOf,
  ranText,
  recordSuite,
  runRounds,
  NothingPlanned,
  testOf,
  whyNothing,
  waitOf,
  type SuiteOptions,
  type Unjudged,
} from './recorded-suite.ts';

/** Limits of a run, and what is told of it. */
export interface MutateOptions extends SuiteOptions {
  /** Whether a mutant is tried (default: all are). */
  readonly includes?: ((mutant: Mutant) => boolean) | undefined;
  /** What a document allows of responses. */
  readonly rules?: ResponseRules | undefined;
  /** Called when it is known what became of a mutant: after each round, with the worst first. */
  readonly onResult?: ((result: MutantResult) => void) | undefined;
}

/** As in the mutation testing report schema: https://github.com/stryker-mutator/mutation-testing-elements */
export type MutantStatus =
  | 'Killed'
  | 'Survived'
  | 'Timeout'
  | 'NoCoverage'
  | 'RuntimeError'
  | 'Pending'
  | 'Ignored';

/** What became of a mutant. */
export interface MutantResult extends Mutant {
  /**
   * `NoCoverage` if no test received it, `RuntimeError` if its run did not come to an end, `Pending` if it was left out, `Ignored` if
   * no test looks at the response at all.
   */
  readonly status: MutantStatus;
  /** The test that has noticed it, or else the one whose page showed most of it. */
  readonly by?: SuiteTest | undefined;
  /** The message of the failure. */
  readonly reason?: string | undefined;
  /** Whether the page looked different with the wrong response; undefined without a page. */
  readonly isShown?: boolean | undefined;
  /** Texts that the page of `by` shows with the right response, and not with the wrong one. */
  readonly gone: readonly string[];
  /** The shortest of them that is nowhere on the page with the wrong response. */
  readonly telling?: string | undefined;
}

/** What a suite notices. */
export interface MutateReport extends Unjudged {
  readonly tests: readonly SuiteTest[];
  readonly subjects: readonly Pick<Subject, 'name' | 'body'>[];
  /** The worst first, and before them the responses that no test looks at. */
  readonly results: readonly MutantResult[];
  /** Where the mutants of fields are in the plan. */
  readonly part: PlanPart;
  /** How the tests assert (default: on the document of the process). */
  readonly assertions?: AssertionStyle | undefined;
  /** Time of all trials, in milliseconds. */
  readonly ms: number;
}

/**
 * Runs a suite as it is, and then the tests that read a field again with that field wrong, one field at a time.
 *
 * @throws SuiteError for a suite that fails as it is, or that receives no response
 */
export async function mutateSuite(
  suite: SuiteRunner,
  options: MutateOptions,
): Promise<MutateReport> {
  const { includes = () => true, max = Infinity, scope, shard, onResult, rules } = options;
  const { tests, ...unjudged } = await recordSuite(suite, options);
  const subjects = subjectsOf(tests);
  const fileOf = new Map(tests.map(({ id, file }) => [id, file]));
  const possible = planMutants(subjects, rules);
  const planned = possible.filter(
    (mutant) =>
      includes(mutant) &&
      isInScope(
        scope,
        [mutant.subject.replace(/ \d+$/, '')],
        mutant.tests.map((id) => fileOf.get(id) ?? ''),
      ),
  );
  if (planned.length === 0)
    throw new NothingPlanned([nothingRead(tests, subjects), ...whyNothing(unjudged)].join(' '));
  // A control judges all mutants of its response.
  const { own, ...part } = partOf(planned, ({ subject }) => subject, shard);
  const within = new Set(planned.slice(0, max));
  const tried = own.filter((one) => within.has(one));
  const names = new Set(tried.map(({ subject }) => subject));
  const controls = controlsOf(possible, planned).filter(({ subject }) => names.has(subject));
  const trials = new MutantTrials(tried, controls, tests);
  const ms = await runRounds(
    suite,
    {
      next: (limit) => trials.next(limit),
      judge(runs, byTest) {
        trials.judge(runs, byTest);
        for (const result of trials.told()) onResult?.(result);
      },
    },
    options,
  );
  for (const result of trials.told(true)) onResult?.(result);
  const results = trials.results(own);
  return {
    tests: tests.map(testOf),
    subjects: subjects.map(({ name, body }) => ({ name, body })),
    results,
    part,
    assertions: suite.assertions,
    ...unjudged,
    ms,
  };
}

/** With so many mutants, a response is first tried with all of them at once. */
const leastControlled = 4;

/** Returns a mutant with all wrong at once for each response of which all mutants are planned. */
function controlsOf(possible: readonly Mutant[], planned: readonly Mutant[]): Mutant[] {
  const all = Map.groupBy(possible, ({ subject }) => subject);
  return Array.from(Map.groupBy(planned, ({ subject }) => subject))
    .filter(
      ([name, some]) => some.length >= leastControlled && some.length === all.get(name)?.length,
    )
    .map(([name, some]) => controlMutant(name, some));
}

function nothingRead(tests: readonly TestRuns[], subjects: readonly Subject[]): string {
  const ran = ranText(tests);
  if (tests.every((one) => one.subjects.length === 0))
    return `${ran}, and none received a JSON response of Backlot, or, with vitest and Jest, by fetch, XMLHttpRequest, node:http or undici.`;
  return subjects.every(({ fields }) => fields.length === 0)
    ? `${ran}, and no code reads a field of a response.`
    : `${ran}, and no mutant fits the flags.`;
}

/** A run of a test with a mutant. */
interface Tried {
  /** The test as it is. */
  readonly test: TestRuns;
  readonly attempt: Attempt;
}

/** Begins the messages of vitest and Jest for a test or a hook that does not end. */
const timeouts = /^((Test|Hook) timed out|Exceeded timeout)/;

/** Whether a result tells more of a mutant than one that is known. */
function tells(result: MutantResult, known: MutantResult): boolean {
  if (known.status === 'NoCoverage' || isNoticed(result)) return true;
  return result.status === 'Survived' && known.isShown === false;
}

/** Whether a test has noticed a mutant. */
export function isNoticed(result: MutantResult | undefined): boolean {
  return result?.status === 'Killed' || result?.status === 'Timeout';
}

/**
 * The trials of mutants: one file of tests after the other, until a test notices. The control of a response is tried with its first
 * mutant, before its others.
 */
class MutantTrials {
  readonly #tests: ReadonlyMap<string, TestRuns>;
  /** The ids of tests that have not been run with a mutant, by its id. */
  readonly #open = new Map<string, readonly string[]>();
  readonly #mutants: ReadonlyMap<string, Mutant>;
  /** The control of a response, until a test has noticed it. */
  readonly #controls: Map<string, Mutant>;
  /** The ids of controls, and of the first mutant of each response, which is tried with its control. */
  readonly #early = new Set<string>();
  /** The ids of mutants with which a file may not have come to its end. */
  readonly #suspects = new Set<string>();
  readonly #results = new Map<string, MutantResult>();
  readonly #untold: Set<Mutant>;

  constructor(mutants: readonly Mutant[], controls: readonly Mutant[], tests: readonly TestRuns[]) {
    this.#tests = new Map(tests.map((one) => [one.id, one]));
    this.#controls = new Map(controls.map((one) => [one.subject, one]));
    const bySubject = Map.groupBy(mutants, ({ subject }) => subject);
    const firsts = new Set(Array.from(bySubject.values(), ([one]) => one!));
    const ordered = mutants.flatMap((one) => {
      const control = firsts.has(one) ? this.#controls.get(one.subject) : undefined;
      return control === undefined ? [one] : [control, one];
    });
    this.#mutants = new Map(ordered.map((one) => [one.id, one]));
    this.#untold = new Set(ordered);
    for (const { id, tests: reading } of ordered) this.#open.set(id, reading);
    for (const { id } of [...controls, ...firsts]) this.#early.add(id);
  }

  /** Returns the next trials by test, the worst first. @param limit estimated time in milliseconds */
  next(limit: number): Record<string, TestTrials> | undefined {
    const byTest: Record<string, Trial[]> = {};
    const spent = new Map<string, number>();
    for (const [id, open] of this.#open) {
      const { subject, mutation } = this.#mutants.get(id)!;
      if (this.#controls.has(subject) && !this.#early.has(id)) continue;
      const file = this.#fileFor(open);
      const reading = open.filter((test) => this.#tests.get(test)?.file === file);
      const before = spent.get(file) ?? 0;
      const isAlone = this.#suspects.has(id);
      if (before > (isAlone ? 0 : limit)) continue;
      const cost = Math.max(...reading.map((test) => this.#costOf(test)));
      spent.set(file, isAlone ? Infinity : before + cost);
      for (const test of reading) (byTest[test] ??= []).push({ id, subject, mutation });
    }
    if (spent.size === 0) return undefined;
    return Object.fromEntries(
      Object.entries(byTest).map(([id, trials]) => [
        id,
        { trials, ...limitsOf(this.#tests.get(id)) },
      ]),
    );
  }

  #costOf(test: string): number {
    return msOf(this.#tests.get(test)) + waitOf(this.#tests.get(test));
  }

  /** Returns the file with the fewest of these tests. */
  #fileFor(open: readonly string[]): string {
    const files = Map.groupBy(open, (test) => this.#tests.get(test)?.file ?? '');
    const [first] = [...files].toSorted(
      ([name, one], [other, others]) => one.length - others.length || (name < other ? -1 : 1),
    );
    return first?.[0] ?? '';
  }

  /** Notes what came out of trials. */
  judge(runs: readonly TestRuns[], tried: Readonly<Record<string, TestTrials>>): void {
    const byId = new Map(runs.map((one) => [one.id, one]));
    const tests = [...this.#tests.values()];
    const all = tests.flatMap((test) =>
      (tried[test.id]?.trials ?? []).map(({ id }, at) => {
        return { id, test, attempt: byId.get(test.id)?.attempts[at] };
      }),
    );
    this.#judgeLost(all.filter(({ attempt }) => attempt === undefined));
    const known = all.flatMap(({ attempt, ...one }) => (attempt ? [{ ...one, attempt }] : []));
    for (const [id, tries] of Map.groupBy(known, (one) => one.id)) {
      const done = new Set(tries.map(({ test }) => test.id));
      const open = this.#open.get(id)?.filter((test) => !done.has(test));
      if (open === undefined) continue;
      const result = this.#resultOf(this.#mutants.get(id)!, tries);
      const before = this.#results.get(id);
      const now = before === undefined || tells(result, before) ? result : before;
      if (isNoticed(now) || open.length === 0) this.#end(now);
      else {
        this.#results.set(id, now);
        this.#open.set(id, open);
      }
    }
  }

  /** Notes runs that were not reported, because their process has ended: their mutants run again, each of those that may have ended it alone. */
  #judgeLost(lost: readonly { readonly id: string; readonly test: TestRuns }[]): void {
    for (const { id } of lostFirst(lost, [...this.#tests.values()])) {
      if (this.#suspects.has(id))
        this.#end({ ...this.#mutants.get(id)!, status: 'RuntimeError', gone: [] });
      this.#suspects.add(id);
    }
  }

  /** Ends the trials of a mutant; those of a response, if no test looks at it. */
  #end(result: MutantResult): void {
    const { id, subject, status } = result;
    this.#results.set(id, result);
    this.#open.delete(id);
    if (this.#controls.get(subject)?.id !== id) return;
    this.#controls.delete(subject);
    const others = [...this.#mutants.values()].filter(
      (one) => one.subject === subject && one.id !== id,
    );
    const isLookedAt = others.some((one) => isNoticed(this.#results.get(one.id)));
    if (status !== 'Survived' || isLookedAt) return void this.#results.delete(id);
    for (const one of others) {
      this.#open.delete(one.id);
      this.#results.set(one.id, { ...one, status: 'Ignored', gone: [] });
    }
  }

  /**
   * Returns, once each, the mutants of which it is known what became of them, the worst first.
   *
   * @param isOver whether no mutant will be tried any more: until then, the control of a response may still say more
   */
  told(isOver = false): MutantResult[] {
    const ended = [...this.#untold].filter(
      ({ id, subject }) => !this.#open.has(id) && (isOver || !this.#controls.has(subject)),
    );
    for (const one of ended) this.#untold.delete(one);
    return ended
      .flatMap(({ id }) => this.#results.get(id) ?? [])
      .filter(({ status }) => status !== 'Ignored');
  }

  #resultOf(mutant: Mutant, all: readonly Tried[]): MutantResult {
    const tries = all.filter(({ attempt }) => attempt.isApplied !== false);
    if (tries.length === 0) return { ...mutant, status: 'NoCoverage', gone: [] };
    for (const { test, attempt } of tries) {
      const reason = attempt.error;
      if (reason === undefined) continue;
      const status = timeouts.test(reason) ? 'Timeout' : 'Killed';
      return { ...mutant, status, by: testOf(test), reason, gone: [] };
    }
    const shown = tries.map(({ test, attempt }) => {
      const [before, again = before] = test.attempts.map(({ texts }) => texts);
      const after = attempt.texts;
      // Without a page, or with one that the test leaves blank, nobody can say.
      if (before === undefined || after === undefined || before.length + after.length === 0)
        return { by: testOf(test), gone: [] };
      const [old, other, now] = [new Set(before), new Set(again), new Set(after)];
      // A text that differs each time, such as a random name, says nothing.
      const gone = [...old.intersection(other)].filter((text) => !now.has(text));
      const isSteady = old.symmetricDifference(other).size === 0;
      const isShown = gone.length > 0 || (isSteady && after.some((text) => !old.has(text)));
      return { by: testOf(test), gone, telling: tellingOf(gone, after), isShown };
    });
    const nearest =
      shown.find(({ telling }) => telling !== undefined) ??
      shown.find(({ gone }) => gone.length > 0) ??
      shown.find(({ isShown }) => isShown !== false) ??
      shown[0];
    return { ...mutant, status: 'Survived', gone: [], ...nearest };
  }

  /** Returns the responses that no test looks at, and what became of each mutant; `Pending` for those that were left out. */
  results(planned: readonly Mutant[]): MutantResult[] {
    const controls = Array.from(this.#mutants.values()).flatMap(({ id, mutation }) =>
      mutation.mutator === 'control' && !this.#open.has(id) ? (this.#results.get(id) ?? []) : [],
    );
    const others = planned.map((one): MutantResult => {
      const known = this.#open.has(one.id) ? undefined : this.#results.get(one.id);
      return known ?? { ...one, status: 'Pending', gone: [] };
    });
    return [...controls, ...others];
  }
}

/** Texts that are shorter stand on too many pages. */
const leastTelling = 3;

/**
 * Returns the shortest text that a page shows with the right response only, also not as a part of another text.
 *
 * @param gone texts that it shows no longer
 */
function tellingOf(gone: readonly string[], after: readonly string[]): string | undefined {
  const page = after.join('\n');
  return gone
    .filter((text) => text.length >= leastTelling && !ofControl.test(text) && !page.includes(text))
    .toSorted((one, other) => one.length - other.length)[0];
}
