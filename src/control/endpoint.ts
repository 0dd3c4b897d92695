import type { Endpoint, EndpointRow } from '../rest/endpoint.ts';
import type { OpenApiDocument } from '../rest/openapi.ts';
import type { ReadyScenario } from '../scenario/scenario.ts';
import type { LongPoll } from './long-poll.ts';
import type { JournalEntry } from '../journal/recorded-exchange.ts';
import type { AnyScenario, BackOffice } from '../office/back-office.ts';

/** What stands behind the mock's own endpoints. */
export interface ControlContext {
  /**
   * The back office of the session that the request names.
   *
   * @throws Problem as `ControlledSessions.open`, or `malformed` where a name is needed and none is given
   */
  readonly office: () => BackOffice;
  /** What stands in front of every path of the server, as the client sees it: `/demo`; empty at the root. */
  readonly basePath: string;
  /** The same with the path of the session, where the URL names one: `/demo/s/ada`. */
  readonly prefix: string;
  /** Whose shop `office` gives, in words: `session ada`. */
  readonly shop: string;
  readonly server: ControlledServer;
  /** The address of the client, if it is known. */
  readonly client: string | undefined;
  /** Waits for what is still to come. */
  readonly hold: LongPoll<JournalEntry>;
}

/** A session as a list shows it. */
export interface SessionEntry {
  readonly name: string;
  readonly office: BackOffice;
  /** Since its last request, in whole seconds. */
  readonly idleSeconds: number;
  readonly ageSeconds: number;
}

/** A session that was dropped without being deleted, and why. */
export interface DroppedSession {
  readonly name: string;
  readonly reason: string;
}

/** The sessions of a server as its control endpoints know them. */
export interface ControlledSessions {
  /**
   * @param client address of the client that opens it
   * @throws Problem `conflict` if there is one of that name, `too many` beyond a limit
   */
  open(name: string, scenario?: AnyScenario, client?: string): BackOffice;
  /** @throws Problem `missing` */
  get(name: string): SessionEntry;
  list(): readonly SessionEntry[];
  /** Newest first. */
  dropped(): readonly DroppedSession[];
  /** @throws Problem `missing` */
  drop(name: string): void;
  /** @param reason what clients of these sessions are told when they come back; default: nothing */
  clear(reason?: string): void;
}

/** A server as its own endpoints know it. */
export interface ControlledServer {
  /** Who answers requests without a session. */
  readonly shared: BackOffice;
  readonly sessions: ControlledSessions;
  /** Whether nobody may begin with another seed or moment than the scenario's. */
  readonly fixedStarts: boolean;
  /** Names and descriptions of the scenarios that can be asked for. */
  scenarios(): readonly { readonly name: string; readonly description: string }[];
  /** @throws Problem `missing` that lists the names */
  scenario(name: string): ReadyScenario;
  /** The OpenAPI document of the interface and of these endpoints, for clients that see them below `prefix`. */
  openapi(prefix: string): OpenApiDocument;
}

export type ControlEndpoint = EndpointRow<ControlContext>;

/** Gives a row its types. */
export function endpoint<Path extends `/_backlot/${string}`, Query, Body, Subject, Answer>(
  row: Endpoint<ControlContext, Path, Query, Body, Subject, Answer>,
): Endpoint<ControlContext, Path, Query, Body, Subject, Answer> {
  return row;
}
