import type { ApiDefinition, EngineSettings, EngineShop } from '../definition/api.ts';
import type { FaultRuleInput } from '../faults/fault-rule.ts';
import { addFault } from '../faults/fault-rules.ts';
import { missingStep, weatherRules, type WeatherName } from '../faults/weather.ts';
import { parseDateTime } from '../lib/duration.ts';
import { memoized } from '../lib/memoized.ts';
import { Problem } from '../lib/problem.ts';
import type { NamesOf } from '../lib/unknown-keys.ts';
import { divideProgress, type OnProgress } from '../lib/progress.ts';
import { VirtualClock, type ClockMode, type Milliseconds } from '../lib/virtual-clock.ts';
import {
  createDatabase,
  restoreDatabase,
  stateOf,
  tablesOf,
  type DatabaseState,
} from '../store/database.ts';
import { Transaction } from '../store/transaction.ts';
import { leaveOut, loadRecords, referenceIssues, type LeftOut } from './data.ts';
import { assertNoIssues, parseOrThrow, brokenSettings, invalidRecords } from './issues.ts';
import { changedTables } from './changes.ts';
import type { ReadyScenario, SettingValues } from './scenario.ts';
import { moveToToday, type TodayOptions } from './today.ts';

/** Options that override a scenario. */
export interface StartOptions extends TodayOptions {
  /** Seed in place of the scenario's. */
  readonly seed?: number | undefined;
  /** Start time of the clock in place of the scenario's: `2026-03-02T09:00:00+0000`. */
  readonly now?: string | undefined;
  /**
   * Settings that override those of the scenario from `now` on. The scenario's orders are created under its own
   * settings. At `now`, events that are due under these settings happen at once: pending orders older than
   * `pendingLifetime` are released, expired carts are abandoned. The `expires_at` of existing carts does not
   * depend on `cartLifetime`.
   */
  readonly settings?: SettingValues | undefined;
  /** Faults to insert before those of the scenario. */
  readonly faults?: readonly FaultRuleInput[] | undefined;
  /** Named faults: `train` (default: those of the scenario). */
  readonly weather?: WeatherName | undefined;
  /**
   * Receives the share of the work that is done, from 0 to 1, while a scenario is set up. Setting up `large` takes
   * seconds; most other scenarios take less time than one report.
   */
  readonly onProgress?: OnProgress | undefined;
}

export const startOptions: NamesOf<StartOptions> = {
  seed: true,
  now: true,
  today: true,
  currentTime: true,
  settings: true,
  faults: true,
  weather: true,
  onProgress: true,
};

/** A scenario that has been set up: the initial state of any number of back offices, and of their resets. */
export interface Start {
  readonly scenario: ReadyScenario;
  readonly settings: EngineSettings;
  readonly seed: number;
  readonly now: string;
  readonly state: DatabaseState;
  /** Inherited records that it leaves out, because they refer to records that it lacks (default: none). */
  readonly leftOut?: readonly LeftOut[];
  /** With the option `today`: the start that this one was moved from. */
  readonly origin?: Start;
  /** Of a trace: the state from which the limit of records counts (default: `state`). */
  readonly counted?: DatabaseState;
}

export interface ClockOptions {
  /** Frozen or ticking clock (default: frozen). */
  readonly clock?: ClockMode | undefined;
  /** The source of time of a ticking clock. */
  readonly milliseconds?: Milliseconds | undefined;
}

/** A shop that can move its clock, roll back its writes, and be reset. */
export interface OpenShop extends EngineShop {
  readonly clock: VirtualClock;
  /** The mode of its clock after a reset. */
  readonly clockMode: ClockMode;
  /** The state that a reset restores. */
  start: Start;
}

/**
 * Sets a scenario up: loads its records and submits the steps of its orders. The result is cached, since it is
 * immutable. All settings share it, because the orders are created under the settings of the scenario.
 *
 * @throws Problem `invalid` with the issues of the settings, the records or the orders
 */
export function startOf(scenario: ReadyScenario, options: StartOptions = {}): Start {
  const { seed = scenario.seed, now = scenario.now, faults = [], onProgress } = options;
  const { weather = scenario.weather } = options;
  if (!Number.isSafeInteger(seed)) {
    throw new Problem('invalid', `seed: ${seed} must be an integer of at most 2^53 - 1`);
  }
  const settings = settingsOf(scenario, options.settings);
  const origin = { scenario, seed, now: parseNow(now) };
  assertWeather(scenario.api, weather);
  const rules = [...faults, ...weatherRules(weather)];
  const key = JSON.stringify([seed, origin.now, rules]);
  const cached = cacheOf(scenario).get(key) ?? setUp(origin, rules, onProgress);
  cacheStart(key, cached);
  const start = startUnder(settings, cached);
  const isMoved = options.today === true && options.now === undefined;
  return isMoved ? moveToToday(start, options.currentTime) : start;
}

/** Caches a state as the result of setting up a scenario with its own seed, date-time and settings. */
export function preloadStart(scenario: ReadyScenario, state: DatabaseState): void {
  const { seed } = scenario;
  const now = parseNow(scenario.now);
  const start = { scenario, settings: settingsOf(scenario), seed, now, state };
  // Its rows do not count: most of its tables remain JSON text until they are read.
  cacheStart(JSON.stringify([seed, now, []]), cachedStart(start, 0));
}

/** Opens a new shop in the state of a start. */
export function openShop(start: Start, options: ClockOptions = {}): OpenShop {
  const shop = emptyShop(start, options.milliseconds);
  restoreDatabase(shop.db, start.state);
  const { clock: clockMode = 'frozen' } = options;
  shop.clock.restore({ now: start.now, mode: clockMode });
  return { ...shop, clockMode, start };
}

/** A scenario that has been set up with one seed and one date-time. */
interface CachedStart {
  /** The start under the scenario's own settings. */
  readonly own: Start;
  /** The number of its rows in memory. */
  readonly rows: number;
  /** The starts under other settings, and under its own. */
  readonly bySettings: Map<string, Start>;
}

function cachedStart(own: Start, rows: number): CachedStart {
  return { own, rows, bySettings: new Map([[JSON.stringify(own.settings), own]]) };
}

/** The number of starts of one scenario in the cache, and of their rows. The last start is cached regardless of its size. */
const maxStarts = 8;
const maxRows = 100_000;

const cacheOf = memoized<ReadyScenario, Map<string, CachedStart>>(() => new Map());

/** Adds a start to the LRU cache of its scenario, and evicts the least recently used ones if the cache is full. */
function cacheStart(key: string, start: CachedStart): void {
  const cache = cacheOf(start.own.scenario);
  cache.delete(key);
  cache.set(key, start);
  let rows = 0;
  for (const other of cache.values()) rows += other.rows;
  for (const [oldest, other] of cache) {
    if (other === start || (cache.size <= maxStarts && rows <= maxRows)) return;
    cache.delete(oldest);
    rows -= other.rows;
  }
}

/** Returns the start of a scenario under other settings, after the events that are due under them by now. */
function startUnder(settings: EngineSettings, { own, bySettings }: CachedStart): Start {
  const key = JSON.stringify(settings);
  const cached = bySettings.get(key);
  if (cached !== undefined) return cached;
  const shop = emptyShop({ ...own, settings });
  restoreDatabase(shop.db, own.state);
  assertNoIssues('set of settings', brokenSettings(shop.db, shop.api, settings));
  const { writes } = shop.transaction;
  shop.api.runDueEvents(shop);
  const isChanged = shop.transaction.writes > writes;
  shop.transaction.freeze();
  const start = { ...own, settings, state: isChanged ? stateOf(shop.db) : own.state };
  const [oldest = ''] = [...bySettings.keys()].slice(1);
  if (bySettings.size > maxStarts) bySettings.delete(oldest);
  bySettings.set(key, start);
  return start;
}

/** @throws Problem `invalid` for faults of a step that the API does not have */
export function assertWeather(
  { name, steps }: ApiDefinition,
  weather: WeatherName | undefined,
): void {
  const step = missingStep(weather, steps);
  if (step === undefined) return;
  throw new Problem(
    'invalid',
    `weather: ${weather} is about the step ${step}, which the API ${name} does not have`,
  );
}

/** Creates orders under the settings of the scenario that they come from, then runs the events that are due. */
function setUp(
  { scenario, seed, now }: Pick<Start, 'scenario' | 'seed' | 'now'>,
  faults: readonly FaultRuleInput[],
  onProgress: OnProgress | undefined,
): CachedStart {
  const settings = settingsOf(scenario);
  const shop = emptyShop({ scenario, settings, seed, now });
  const leftOut = fill(shop, scenario, onProgress);
  const { api } = shop;
  for (const rule of scenario.script) api.script.add(shop, rule);
  for (const rule of [...faults, ...scenario.faults]) addFault(shop.db, api, rule);
  shop.transaction.freeze();
  const state = stateOf(shop.db);
  return cachedStart(
    { scenario, settings, seed, now, state, leftOut },
    tablesOf(shop.db).rowCount(),
  );
}

/**
 * Adds the records of a scenario: those that it lists, plays and generates, or those of another one with changes.
 *
 * @returns those that it leaves out
 */
function fill(
  shop: EmptyShop,
  scenario: ReadyScenario,
  onProgress: OnProgress | undefined,
): readonly LeftOut[] {
  const { settings } = shop;
  const subject = `scenario ${scenario.name}`;
  const { changes, unchanged } = scenario;
  if (changes !== undefined && unchanged !== undefined) {
    const { state, leftOut = [] } = startOf(unchanged, {
      seed: shop.seed,
      now: changes.since,
      settings: scenario.settings,
      onProgress,
    });
    const { api } = shop;
    const changed = changedTables(state, api, changes.tables, shop.clock, subject);
    restoreDatabase(shop.db, { ...state, ...changed });
    assertNoIssues(subject, invalidRecords(shop.db, api, placeOfChanges));
    assertNoIssues(subject, brokenSettings(shop.db, api, settings));
    return leftOut;
  }
  const { api } = shop;
  const parts = Object.entries(api.scenarioParts).flatMap(([name, part]) => {
    const value = scenario[name];
    // The format of the API has parsed it.
    return value === undefined ? [] : [{ name, part, value: value as never }];
  });
  const filled = new Set(
    parts.flatMap(({ part, value }) => (part.weight(value) > 0 ? part.tables : [])),
  );
  const isLater = (table: string): boolean => filled.has(table);
  const records = loadRecords(shop.db, api, scenario, isLater);
  // Other parts need sound records.
  assertNoIssues(subject, [...records, ...brokenSettings(shop.db, api, settings)]);
  const weights = parts.map(({ part, value }) => part.weight(value));
  const shares = divideProgress(onProgress, weights);
  for (const [at, { name, part, value }] of parts.entries()) {
    shop.settings = api.settings.parse(scenario.pastSettings?.[name] ?? settings);
    assertNoIssues(subject, part.fill(shop, value, shares[at]));
  }
  shop.settings = settings;
  if (filled.size > 0) assertNoIssues(subject, referenceIssues(shop.db, scenario, isLater));
  const leftOut = leaveOut(shop.db, scenario);
  api.runDueEvents(shop);
  return leftOut;
}

const placeOfChanges = (table: string): string[] => ['changes', 'tables', table, 'rows'];

/** @throws Problem `invalid` */
export function settingsOf(scenario: ReadyScenario, changes?: SettingValues): EngineSettings {
  const { api, settings } = scenario;
  return parseOrThrow(api.settings, { ...settings, ...changes }, 'set of settings');
}

function parseNow(text: string): string {
  const now = parseDateTime(text);
  if (now !== undefined) return now;
  throw new Problem('invalid', `now: ${text} is not a date-time such as 2026-03-02T09:00:00Z`);
}

type EmptyShop = Omit<OpenShop, 'start' | 'clockMode'>;

function emptyShop(
  { scenario: { api }, settings, seed, now }: Omit<Start, 'state' | 'origin'>,
  milliseconds?: Milliseconds,
): EmptyShop {
  const clock = new VirtualClock(now, milliseconds);
  const transaction = new Transaction();
  const db = createDatabase(api.tables, { clock, transaction });
  return { api, db, clock, transaction, settings, seed, firedRules: [], matchedRules: [] };
}
