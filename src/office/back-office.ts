import type { Collections } from '../models/database.ts';
import type { ApiAnswer, ApiRequest } from '../rest/message.ts';
import type { VirtualClock } from '../lib/virtual-clock.ts';
import type { ReadyScenario, ScenarioInput } from '../scenario/scenario.ts';
import type { Settings } from '../scenario/settings.ts';
import type { OpenShop, StartOptions } from '../scenario/start.ts';
import type { BackOfficeFile } from './file.ts';
import type { CheckoutApi } from './checkout-api.ts';
import type { FaultsApi } from '../faults/faults-api.ts';
import type { JournalApi } from '../journal/journal.ts';
import type { ScriptApi } from './script-api.ts';
import type { Snapshot, Snapshots } from './snapshots.ts';

/** A scenario that comes with the package, by its name; one of your own; or one that is open already. */
export type AnyScenario = string | ScenarioInput | ReadyScenario;

/** A shop with its interface, in memory. Nothing it does waits: an answer is there when the call returns. */
export interface BackOffice {
  /** Its name among the sessions of a server; none where it stands alone. */
  readonly session: string | undefined;
  readonly scenario: ReadyScenario;
  readonly settings: Settings;
  /** The tables, each as a collection of @msw/data. */
  readonly db: Collections;
  /** Set, advanced by an ISO 8601 duration, frozen or ticking. What is due then has happened when the call returns. */
  readonly clock: VirtualClock;
  readonly shop: OpenShop;
  /** The steps of the checkout, state transitions, stock and coupons, without any HTTP. */
  readonly checkout: CheckoutApi;
  /** What the shop does at which step, and how often. */
  readonly script: ScriptApi;
  /** Which requests go wrong, how often, and how. */
  readonly faults: FaultsApi;
  /** Every request with its answer. A reset clears it; a snapshot does not hold it. */
  readonly journal: JournalApi;
  /** The snapshots that have a name. */
  readonly snapshots: Snapshots;
  /** Another back office under the same options, for a session of this name. */
  sibling(session: string, scenario: AnyScenario): BackOffice;
  /** Answers a request wholly or, where it refuses, without a trace. Never throws. */
  answer(request: ApiRequest): ApiAnswer;
  /** Answers as `answer` does and rolls back what that changed: no record, count or journal entry of it stays. */
  dryRun(request: ApiRequest): ApiAnswer;
  /** The same past faults, tokens and the journal, to set the stage for what is to be tried. */
  requestUnobserved(request: ApiRequest): ApiAnswer;
  /**
   * Takes everything back to where the scenario starts, or to where another one does. Named snapshots stay.
   *
   * @throws Problem `missing` or `invalid` for a scenario that is not there or not valid; then nothing changes
   */
  reset(scenario?: AnyScenario, options?: StartOptions): void;
  /** Everything as it is now, to come back to any number of times; kept where it has a name. */
  snapshot(name?: string): Snapshot;
  /**
   * Goes back to a snapshot: one of this back office by its name, or any that is at hand.
   *
   * @throws Problem `missing` for a name that no snapshot has
   */
  restore(snapshot: string | Snapshot): void;
  /** Everything as one value that JSON can carry. */
  export(): BackOfficeFile;
  /**
   * Takes over what `export` gave, here or elsewhere.
   *
   * @throws Problem `invalid` for what is no such file, or one of another version; then nothing changes
   */
  import(file: unknown): void;
}
