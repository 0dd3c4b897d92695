import type { ApiResponse, ApiRequest } from '../rest/message.ts';
import type { EngineSettings } from '../definition/api.ts';
import type { VirtualClock } from '../lib/virtual-clock.ts';
import type { ReadyScenario, ScenarioSource } from '../scenario/scenario.ts';
import type { OpenShop, StartOptions } from '../scenario/start.ts';
import type { CollectionsOf, Definitions } from '../store/database.ts';
import type { BackOfficeFile } from './file.ts';
import type { ScriptApi } from './script-api.ts';
import type { FaultsApi } from '../faults/fault-rules.ts';
import type { JournalApi } from '../journal/journal.ts';
import type { ExplainApi } from './explain-api.ts';
import type { HistoryApi, HistorySummary, RewindEffects } from './history-api.ts';
import type { HeldRequest } from './held-responses.ts';
import type { Snapshot, Snapshots } from './snapshots.ts';

/** Name of a built-in scenario, a scenario object, an imported JSON file, or an opened scenario. */
export type AnyScenario = string | ScenarioSource | ReadyScenario;

/** The data of an API with what answers its requests, in memory. All calls are synchronous. */
export interface BackOffice {
  /** Name of its session, on a server with sessions. */
  readonly session: string | undefined;
  /** The scenario that it was opened with, or reset to. */
  readonly scenario: ReadyScenario;
  readonly settings: EngineSettings;
  /** The tables, each as a collection of @msw/data. */
  readonly db: CollectionsOf<Definitions>;
  /** Can be set, advanced by an ISO 8601 duration, frozen or ticking. Due events have run when a call returns. */
  readonly clock: VirtualClock;
  readonly shop: OpenShop;
  /** Says why entries came out so, and records are as they are. */
  readonly explain: ExplainApi;
  /** Rules for the outcomes of steps. */
  readonly script: ScriptApi;
  /** Rules for the injected failures of requests. */
  readonly faults: FaultsApi;
  /** All requests with their responses. A reset clears it; a snapshot does not include it. */
  readonly journal: JournalApi;
  /** The journal with everything else that changes the shop, what each entry changed, and the way back. */
  readonly history: HistoryApi;
  /**
   * Restores the state before or after an entry of the history, as `history.rewind` does, and sends all held responses.
   *
   * @throws Problem `missing` or `refused`
   */
  rewind(id: number, to?: 'before' | 'after'): HistorySummary & RewindEffects;
  /** Calls a listener with each new entry of the history. Returns the function that stops it. */
  on(listener: (entry: HistorySummary) => void): () => void;
  /** Turns the history on, as the option `history` does, for what happens from now on. */
  recordHistory(): Promise<void>;
  /**
   * Called before an action that is no request of the API.
   *
   * @param actor who does it, if that is known
   * @returns the function that records the action under a title, and returns the id of its last entry, if it has any
   */
  beginAction(actor?: string): (title: string) => number | undefined;
  /** The named snapshots. */
  readonly snapshots: Snapshots;
  /** Returns the requests whose responses faults hold, oldest first. */
  held(): readonly HeldRequest[];
  /**
   * Sends the responses that faults hold under a name. The faults of this name hold no later responses either, so it
   * does not matter whether the request or the release comes first. A fault that is added afterwards holds again, and so
   * do all after a reset.
   *
   * @returns the number of responses that were held
   */
  release(name: string): number;
  /**
   * Sends all held responses, as `reset`, `restore` and `import` do. Later ones are held again.
   *
   * @returns their number
   */
  releaseAll(): number;
  /** Opens another back office with the same options, for a session. */
  sibling(session: string, scenario: AnyScenario): BackOffice;
  /** Answers a request atomically: one that fails changes nothing. An unexpected error is reported, and is status 500. */
  answer(request: ApiRequest): ApiResponse;
  /** Answers as `answer` does, and rolls back all changes, counts included. Adds no journal entry. */
  dryRun(request: ApiRequest): ApiResponse;
  /** Answers a request without faults, authentication or a journal entry, to prepare the data of a test. */
  requestUnobserved(request: ApiRequest): ApiResponse;
  /**
   * Restores the start of the scenario, or that of another one. Named snapshots are kept.
   *
   * @throws Problem `missing` if the scenario is not found, `invalid` if it is not valid; then nothing changes
   */
  reset(scenario?: AnyScenario, options?: StartOptions): void;
  /** Takes a snapshot, which can be restored repeatedly. One with a name is stored. */
  snapshot(name?: string): Snapshot;
  /**
   * Restores a snapshot: a stored one by its name, or one of any back office.
   *
   * @throws Problem `missing` if there is no snapshot of that name
   */
  restore(snapshot: string | Snapshot): void;
  /** Returns the function that undoes all that was done since, and removes its entries, whose ids are given again. */
  savepoint(): () => void;
  /** Takes over the state of another back office, as one entry of the history. Named snapshots are replaced, too. */
  follow(other: BackOffice, title: string): void;
  /** Returns the state as a value that JSON can represent. */
  export(): BackOfficeFile;
  /**
   * Replaces the state by an exported one, of this back office or another one.
   *
   * @throws Problem `invalid` for a value that is not an export, or one of another version; then nothing changes
   */
  import(file: unknown): void;
}
