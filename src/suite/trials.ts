import type { SourceLine } from './callers.ts';
import type { Call } from './calls.ts';
import type { FaultName } from './fault-names.ts';
import type { FieldPath, Mutation } from './mutations.ts';

/** The name under which a runner finds what it does. */
export const trialsKey = 'backlotTrials';

/** What is wrong in one more run of a test. */
export type Trial = MutantTrial | FaultTrial | RaceTrial;

export interface MutantTrial {
  readonly id: string;
  /** `GET /api/orders/:order_id 200`: the endpoint and the status of the responses that are changed. */
  readonly subject: string;
  readonly mutation: Mutation;
}

/** The call that has a fault. */
export interface FaultTrial extends Call {
  readonly id: string;
  readonly fault: FaultName;
  /** Whether no back office of Backlot answers the call, so that its client has the fault. */
  readonly isOutside: boolean;
}

/** A run whose responses are held until no request follows, so that requests are under way at once. */
export interface RaceTrial {
  readonly id: string;
  /** The calls of a group, in the order in which their responses are sent; empty for that of the requests. */
  readonly order: readonly Call[];
  /** What the test does in the order of its requests; undefined for the runs that find this out. */
  readonly recorded: RaceEnd | undefined;
}

/** The end of a run whose responses are held. */
export interface RaceEnd {
  /** The calls that were under way at once, in the order of their requests. */
  readonly groups: readonly (readonly Call[])[];
  /** What the page shows when all responses have arrived; undefined without a document. */
  readonly shown: readonly string[] | undefined;
  /** How often each write was performed, by its endpoint, URL and body. */
  readonly writes: Readonly<Record<string, number>>;
  /** A digest of the records of the shop. */
  readonly state: string;
}

/** What a runner does with tests: without trials, it runs each twice and records what its code reads. */
export interface Trials {
  /** By the id of the test. Others are skipped. */
  readonly byTest: Readonly<Record<string, TestTrials>> | undefined;
  /** Known paths of requests that no back office of Backlot answers: `/api/orders/:order_id`. */
  readonly paths?: readonly string[] | undefined;
  /** The folder for the traces of red verdicts. */
  readonly traces?: string | undefined;
  /** Files whose hooks `beforeAll` and `afterAll` run around each test. */
  readonly hooked?: readonly string[] | undefined;
  /** Whether each test runs once, and all that it receives is recorded. */
  readonly isOnce?: boolean | undefined;
}

/** The trials of one test. */
export interface TestTrials {
  readonly trials: readonly Trial[];
  /** How long Testing Library waits for what does not come, in milliseconds: far longer than the test takes as it is. */
  readonly wait: number;
  /** The time after which a run hangs, in milliseconds. */
  readonly limit: number;
  /** What the test does as it is, for the verdicts on faults. */
  readonly plain?: PlainRun | undefined;
}

/** What a test does as it is. */
export interface PlainRun {
  /** The endpoints that it calls, in order. */
  readonly calls: readonly string[];
  /** Those of them that no back office of Backlot answers. */
  readonly outside: readonly string[];
  /** The status of the response to each; 0 for a request that has failed, and null for one that its client has aborted. */
  readonly statuses: readonly (number | null)[];
  /** The line of the code under test that has sent each; null if it is not known. */
  readonly lines?: readonly (SourceLine | null)[] | undefined;
  /** The endpoints of whose responses its code reads a field. */
  readonly read: readonly string[];
  /** Whether its page says at the end that something went wrong. */
  readonly showsError: boolean;
  /** Whether the test says what is right under faults. */
  readonly hasExpectations: boolean;
  /** Errors that nobody catches, in it or outside of tests. */
  readonly uncaught: readonly string[];
  /** What its code says by `console.error` and `console.warn`. */
  readonly logged: readonly string[];
  /** All that its page shows, when a request is sent and at the end; undefined without a page. */
  readonly shown: readonly string[] | undefined;
  /** How often each write is performed, by its endpoint, URL and body. */
  readonly writes: Readonly<Record<string, number>>;
}

/** A field of the responses of an endpoint that the code under test has read. */
export interface ReadField {
  readonly path: FieldPath;
  /** What it was; one that is not null, if there is any. */
  readonly value: unknown;
  /** The members of its enumeration. */
  readonly members: readonly string[];
  /** The line of the code under test that reads it first. */
  readonly at?: SourceLine | undefined;
  /** The package that reads it by itself, if no other code does. */
  readonly library?: string | undefined;
}

/** The responses of an endpoint with one status in a test. */
export interface RecordedSubject {
  readonly subject: string;
  /** A body: the first one. */
  readonly body: unknown;
  /** Whether the same URL has had different bodies. */
  readonly changes: boolean;
  readonly fields: readonly ReadField[];
}

/** What a page does with a fault. */
export interface Verdict {
  /** `red` if its user cannot know what happened, `yellow` for advice that fails nothing, `grey` if nobody can say. */
  readonly tone: 'red' | 'yellow' | 'green' | 'grey';
  readonly reason: string;
  /** What the page shows when the request with the fault is sent, and not at the end; all, if nothing changes. */
  readonly before?: string | undefined;
  /** What it shows at the end, and not before. */
  readonly after?: string | undefined;
  /** The file of the trace, if it is red. */
  readonly trace?: string | undefined;
}

/** One run of a test. */
export interface Attempt {
  readonly ms: number;
  /** The message of the first error, if it failed. */
  readonly error: string | undefined;
  /** What the page shows when the test function has ended, if there is a document. */
  readonly texts: readonly string[] | undefined;
  /** Whether a response was received that the mutation of the run had changed; undefined for another run. */
  readonly isApplied?: boolean | undefined;
  /** Of a run with a fault, or with another order of responses. */
  readonly verdict?: Verdict | undefined;
  /** Of a run whose responses are held. */
  readonly race?: RaceEnd | undefined;
}

/** What came out of the runs of a test. */
export interface RecordedTest {
  /** None if it is skipped, or its file has failed. */
  readonly attempts: readonly Attempt[];
  readonly subjects: readonly RecordedSubject[];
  readonly plain: PlainRun | undefined;
  /** If each test runs once. */
  readonly received?: readonly ReceivedResponse[] | undefined;
}

/** A response that no back office of Backlot has sent. */
export interface ReceivedResponse {
  readonly method: string;
  /** With its origin; empty for a response that the test has made itself, without a request. */
  readonly url: string;
  readonly status: number;
  /** Undefined if it was not read as text or JSON. */
  readonly body?: string | undefined;
  /** The text of a request that sends operations of GraphQL. */
  readonly sent?: string | undefined;
}

/** The endpoints that a file calls outside of its tests. */
export interface OutsideCalls {
  /** While it is loaded. */
  readonly loading: readonly string[];
  /** In its hooks `beforeAll`. */
  readonly hooks: readonly string[];
  /** What both receive, if each test runs once. */
  readonly received?: readonly ReceivedResponse[] | undefined;
}

/** What a runner leaves in the `meta` of a test. */
export interface SuiteMeta {
  readonly backlotSuite?: RecordedTest;
  /** What the file of the test calls outside of its tests. */
  readonly backlotOutside?: OutsideCalls;
}
