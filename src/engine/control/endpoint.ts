import * as z from 'zod';
import { Problem } from '../lib/problem.ts';
import { LongPoll } from '../rest/message.ts';
import type { AnyScenario, BackOffice } from '../office/back-office.ts';
import type { ChaosFindings } from './chaos-findings.ts';
import type { Trace } from '../office/trace/trace-format.ts';
import type { Snapshot } from '../office/snapshots.ts';
import type { Endpoint, EndpointRow } from '../rest/endpoint.ts';
import { integer } from '../rest/field.ts';
import { form } from '../rest/form.ts';
import type { OpenApiDocument } from '../rest/openapi.ts';
import type { ReadyScenario } from '../scenario/scenario.ts';

/** Maximum number of long polls that wait at one back office. */
const maxLongPolls = 32;

/** Counts the long polls that wait, and limits their number for each key. */
export class LongPolls {
  readonly #counts = new WeakMap<object, number>();

  /**
   * @param key whose long polls are limited together
   * @throws Problem `too many`
   */
  open<Value>(key: object, poll: LongPoll<Value>): LongPoll<Value> {
    if (this.#countAt(key) >= maxLongPolls) {
      throw new Problem(
        'too many',
        `Limit of waiting requests (${maxLongPolls}) reached. Retry when another one has ended.`,
      );
    }
    const wait = async (signal: AbortSignal): Promise<Value> => {
      this.#counts.set(key, this.#countAt(key) + 1);
      try {
        return await poll.wait(signal);
      } finally {
        this.#counts.set(key, this.#countAt(key) - 1);
      }
    };
    return new LongPoll({ timeout: poll.timeout, current: poll.current, wait });
  }

  #countAt(key: object): number {
    return this.#counts.get(key) ?? 0;
  }
}

/** The context of control endpoints. */
export interface ControlContext {
  /**
   * Returns the back office of the session that the request names, or else the shared one.
   *
   * @throws Problem as `ControlledSessions.open`, or `malformed` if the server requires a name
   */
  readonly office: () => BackOffice;
  /** The path in front of every path of the server, as the client sees it: `/demo`; empty at the root. */
  readonly basePath: string;
  /** The same with the path of the session, if the URL names one: `/demo/s/ada`. */
  readonly prefix: string;
  /** Describes the back office for a heading: `session ada`. */
  readonly shop: string;
  readonly server: ControlledServer;
  /** Name of the session that the request names, open or not. */
  readonly session: string | undefined;
  /**
   * Begins a session of its own for the client, which a cookie names from now on.
   *
   * @throws Problem as `BeginSession`
   */
  readonly begin: (how: BeginOptions) => BackOffice;
  /** Whether the server has named the origin of other pages that may use it. */
  readonly isNamedOrigin: (origin: string) => boolean;
  /** Address of the client, if it is known. */
  readonly client: string | undefined;
  /** The rights of the client. */
  readonly may: Readonly<z.output<typeof VisitorRights>>;
  /** Whether a text to pass on may name the session: not where the name is the cookie of a visitor. */
  readonly withSession: boolean;
  /** Limits the number of long polls of the back office. @throws Problem `too many` */
  readonly longPoll: <Value>(poll: LongPoll<Value>) => LongPoll<Value>;
}

/** The start of a session (default: the scenario of the server). */
export interface BeginOptions {
  readonly scenario?: AnyScenario | undefined;
  /** A snapshot that the owner of the server has taken or published. */
  readonly snapshot?: Snapshot | undefined;
  /** Whether the client goes on to a page of another origin, which sends the cookie. */
  readonly isForOtherOrigin?: boolean | undefined;
}

/** A session as a list shows it. */
export interface SessionEntry {
  readonly name: string;
  readonly office: BackOffice;
  /** Since its last request, in whole seconds. */
  readonly idleSeconds: number;
  readonly ageSeconds: number;
  /** Until it ends if it is not used, in whole seconds of at least 1. */
  readonly secondsLeft: number;
  /** The reason for its end then: `idle`, that it was not used, or `life`, its age, even if it is used. */
  readonly endsBy: 'idle' | 'life';
}

/** A session that the server removed by itself, and why. */
export interface EvictedSession {
  readonly name: string;
  readonly reason: string;
}

/**
 * Replays an HTTP archive in a shop of its own that begins with a scenario.
 *
 * @param chunks its bytes
 * @param signal ends it
 * @throws Problem `malformed` for what cannot be replayed, `refused` when the signal aborts
 */
export type ReplayRecording = (
  chunks: readonly Uint8Array[],
  scenario: ReadyScenario,
  signal: AbortSignal,
) => Promise<Trace>;

/** The sessions of a server, as control endpoints use them. */
export interface ControlledSessions {
  /**
   * @param client address of the client that opens it
   * @throws Problem `conflict` if the session is open already, `too many` beyond a limit
   */
  open(name: string, scenario?: AnyScenario, client?: string): BackOffice;
  /** @throws Problem `missing` */
  get(name: string): SessionEntry;
  /** Returns a session if it is open, without using it. */
  find(name: string): SessionEntry | undefined;
  /** Returns why the server has removed a session by itself, if it has and the name was not used since. */
  reasonOfEnd(name: string): string | undefined;
  /** Least recently used first. */
  list(): readonly SessionEntry[];
  /** Newest first. */
  evicted(): readonly EvictedSession[];
  /** @throws Problem `missing` */
  remove(name: string): void;
  /** Removes all sessions. */
  clear(): void;
}

/** The rights of the client of a request. */
export const VisitorRights = z
  .strictObject({
    control: z.boolean().describe('Use the control API'),
    sessions: z.boolean().describe('List, open and delete sessions'),
    starts: z.boolean().describe('Reset with another seed or start time'),
    findings: z.boolean().describe('See findings of `npx backlot chaos`: false if there are none'),
  })
  .describe('What this client may do');

/** What control endpoints receive of who runs the server. */
export interface ServerParts {
  /** Whether a reset can set no other seed or start time than the scenario's (default: false). */
  readonly fixedStarts?: boolean | undefined;
  /** Returns the report of contract coverage, or the counts of one session (default: they are not counted). */
  readonly coverageReport?: ((session?: string) => unknown) | undefined;
  /** The findings of `backlot chaos` in the folder of the server, which the studio shows (default: none). */
  readonly chaos?: ChaosFindings | undefined;
  /** Replays recordings that are dropped on the studio (default: they are not). */
  readonly replayRecording?: ReplayRecording | undefined;
}

/** A server, as control endpoints use it. */
export interface ControlledServer extends ServerParts {
  /** Serves requests without a session. */
  readonly shared: BackOffice;
  readonly sessions: ControlledSessions;
  /** Returns counts of requests and sessions in the OpenMetrics format. */
  metrics(): string;
  /** Whether the next request will be answered: false while the server warms up or stops. */
  isReady(): boolean;
  /**
   * Checks that the client may offer snapshots to links that begin a session.
   *
   * @throws Problem `forbidden` if each visitor has a private session and no token tells the owner
   */
  assertPublishing(): void;
  /** The scenarios that a client can choose. */
  scenarios(): readonly ReadyScenario[];
  /** @throws Problem `missing` that lists the names */
  scenario(name: string): ReadyScenario;
  /** Returns the OpenAPI document of both APIs, for clients that see them below `prefix`. */
  openapi(prefix: string): OpenApiDocument;
  /** Creates the document in steps, so that its first reader does not wait. */
  warmUp(): Generator<void, void>;
}

export type ControlEndpoint = EndpointRow<ControlContext>;

/** The cost of an endpoint that reads or replaces all that a session has. */
export const wholeSession = 10;

/** The defaults of a row. */
type Usual = 'status' | 'answer' | 'errors' | 'example';

/** A control endpoint, of which only what is not usual is stated. */
export type ControlRow<Context, Path extends string, Query, Body, Subject, Answer> = Omit<
  Endpoint<Context, Path, Query, Body, Subject, Answer>,
  Usual
> &
  Partial<Pick<Endpoint<Context, Path, Query, Body, Subject, Answer>, Usual>> & {
    /** Whether it has the parameter `at`, and then reads the shop as it was after that entry of the history. */
    readonly hasPast?: true;
  };

/**
 * Returns a control endpoint.
 *
 * @param row its status (default: 200, or 204 without an answer), errors (default: `missing` for a path with parameters, `invalid`
 *   for parameters of the query or the body) and example (default: its path, with 1 for each parameter)
 */
export function endpoint<Path extends `/_backlot/${string}`, Query, Body, Subject, Answer = void>(
  row: ControlRow<ControlContext, Path, Query, Body, Subject, Answer>,
): ControlEndpoint {
  return completeRow(row);
}

/** The same for endpoints with another context. */
export function completeRow<
  Context extends ControlContext,
  Path extends string,
  Query,
  Body,
  Subject,
  Answer,
>({
  hasPast,
  ...row
}: ControlRow<Context, Path, Query, Body, Subject, Answer>): EndpointRow<Context> {
  const { answer, status = answer === undefined ? 204 : 200, errors = usualErrors(row) } = row;
  const { example = { url: row.path.replaceAll(/:\w+/g, '1') } } = row;
  const whole = { ...row, answer, status, errors, example };
  return hasPast === true ? withPast(whole) : whole;
}

function usualErrors({ path, query, body }: Pick<ControlEndpoint, 'path' | 'query' | 'body'>) {
  const hasForm = query !== undefined || body !== undefined;
  return [
    ...(path.includes(':') ? (['missing'] as const) : []),
    ...(hasForm ? (['invalid'] as const) : []),
  ];
}

function withPast<Context extends ControlContext>(row: EndpointRow<Context>): EndpointRow<Context> {
  return {
    ...row,
    errors: [...new Set([...row.errors, 'missing', 'invalid', 'refused'] as const)],
    query: form({ ...row.query?.schema.shape, at: pastEntry }),
    handle(call) {
      const { at, ...query } = call.query as { readonly at?: number };
      const handle = () => row.handle({ ...call, query });
      return at === undefined ? handle() : call.office().history.within(at, handle);
    },
  };
}

const pastEntry = integer({ min: 0 })
  .optional()
  .describe('Id of the entry after which the shop is read; 0: before the first one (default: now)');
