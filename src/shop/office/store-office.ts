import type { ApiDefinition } from '../../engine/definition/api.ts';
import type { FaultsApi } from '../../engine/faults/fault-rules.ts';
import type { Collections } from '../models/database.ts';
import type { ScriptRule, ScriptStep } from '../models/script-rule.ts';
import type { JournalApi } from '../../engine/journal/journal.ts';
import type { BackOffice } from '../../engine/office/back-office.ts';
import type { HistoryApi } from '../../engine/office/history-api.ts';
import type { BackOfficeOptions } from '../../engine/office/open-back-office.ts';
import type { ScriptApi } from '../../engine/office/script-api.ts';
import type { StoreExplainApi } from './explanation.ts';
import type { Shop } from '../resources/endpoint.ts';
import type { ReadyScenario } from '../../engine/scenario/scenario.ts';
import { startOptions, type OpenShop, type StartOptions } from '../../engine/scenario/start.ts';
import type { NamesOf } from '../../engine/lib/unknown-keys.ts';
import type { ScriptRuleInput } from '../checkout/script-rules.ts';
import type { CheckoutApi } from './checkout-api.ts';
import type {
  FaultRuleInput,
  ScenarioInput,
  ScenarioJson,
  ScenarioName,
  Settings,
  SettingsInput,
} from './scenario.ts';

/** Name of a built-in scenario, a scenario object, an imported JSON file, or an opened scenario. */
export type StoreScenario = ScenarioName | ScenarioInput | ScenarioJson | ReadyScenario;

/** Options that override a scenario of the store. */
export interface StoreStartOptions extends Omit<StartOptions, 'settings' | 'faults'> {
  /** Settings that differ from those of the scenario. */
  readonly settings?: SettingsInput | undefined;
  /** Faults to insert before those of the scenario. */
  readonly faults?: readonly FaultRuleInput[] | undefined;
}

/** Options of a back office of the store. All of them are optional. */
export interface StoreOptions
  extends Omit<BackOfficeOptions, 'api' | 'scenario' | keyof StartOptions>, StoreStartOptions {
  /** The API that it serves (default: that of the store). */
  readonly api?: ApiDefinition | undefined;
  /** Name of a built-in scenario, a scenario of your own, or an opened one (default: `default`). */
  readonly scenario?: StoreScenario | undefined;
}

export const storeOptions: NamesOf<StoreOptions> = {
  ...startOptions,
  api: true,
  apiPath: true,
  scenario: true,
  session: true,
  clock: true,
  milliseconds: true,
  maxRows: true,
  limitFaultHeaders: true,
  maxSnapshots: true,
  maxCachedBytes: true,
  coverage: true,
  history: true,
  report: true,
};

/** A shop with its store API, in memory. All calls are synchronous. */
export interface StoreOffice extends BackOffice {
  /** The settings in force: those of the scenario, with the options. */
  readonly settings: Settings;
  /** The tables, each as a collection of `@msw/data`. */
  readonly db: Collections & BackOffice['db'];
  readonly shop: OpenShop & Shop;
  /** The checkout steps, state transitions, stock and coupons, without HTTP. */
  readonly checkout: CheckoutApi;
  /** Says why orders have their totals, variants their stock and records their states. */
  readonly explain: StoreExplainApi;
  /** Rules for the outcomes of checkout steps. */
  readonly script: ScriptApi<ScriptRuleInput, ScriptRule>;
  /** All requests with their responses. A reset clears it; a snapshot does not include it. */
  readonly journal: JournalApi<ScriptStep>;
  /** Rules for the injected failures of requests. */
  readonly faults: FaultsApi<ScriptStep>;
  /** The journal with everything else that changes the shop, what each entry changed, and the way back. */
  readonly history: HistoryApi<ScenarioInput>;
  /** Opens another back office with the same options, for a session. */
  sibling(session: string, scenario: StoreScenario): StoreOffice;
  /**
   * Restores the start of the scenario, or that of another one. Named snapshots are kept.
   *
   * @throws Problem `missing` if the scenario is not found, `invalid` if it is not valid; then nothing changes
   */
  reset(scenario?: StoreScenario, options?: StoreStartOptions): void;
}
