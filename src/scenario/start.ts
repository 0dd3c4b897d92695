import { addRule } from '../checkout/script-rules.ts';
import { runDueEvents } from '../checkout/time.ts';
import {
  createDatabase,
  restoreDatabase,
  rowCount,
  stateOf,
  type DatabaseState,
} from '../models/database.ts';
import { parseDateTime } from '../lib/duration.ts';
import { Transaction } from '../store/transaction.ts';
import { Problem } from '../lib/problem.ts';
import type { Shop } from '../resources/endpoint.ts';
import { VirtualClock, type ClockMode, type Milliseconds } from '../lib/virtual-clock.ts';
import { addFault, type FaultRuleInput } from '../faults/fault-rules.ts';
import { generate } from './generate/generate.ts';
import { loadRecords } from './load-records.ts';
import { brokenSettings } from './references.ts';
import { assertNoIssues } from './issues.ts';
import { parsed } from './open-scenario.ts';
import { playOrders } from './play-orders.ts';
import type { ReadyScenario } from './scenario.ts';
import { Settings, type SettingsInput } from './settings.ts';

/** What a scenario leaves open, or what is to be other than it says. */
export interface StartOptions {
  readonly seed?: number | undefined;
  readonly now?: string | undefined;
  /**
   * Settings over those of the scenario. They apply from `now` on; the scenario's orders are made under its own. What
   * is due at `now` under them happens at once: pending orders older than `pendingLifetime` are released, expired
   * carts abandoned. A cart keeps its `expires_at`, whatever `cartLifetime` is.
   */
  readonly settings?: SettingsInput | undefined;
  /** Faults beside those of the scenario; they come first. */
  readonly faults?: readonly FaultRuleInput[] | undefined;
}

/** A scenario that has been set up: where back offices begin, any number of them, and begin again. */
export interface Start {
  readonly scenario: ReadyScenario;
  readonly settings: Settings;
  readonly seed: number;
  readonly now: string;
  readonly state: DatabaseState;
}

/** How time goes in a shop. */
export interface ClockOptions {
  /** Whether its clock stands still until it is moved (as it does if nothing is said) or ticks. */
  readonly clock?: ClockMode | undefined;
  /** What makes a clock tick. */
  readonly milliseconds?: Milliseconds | undefined;
}

/** A shop whose clock can be moved, whose writes can be taken back, and that can begin again. */
export interface OpenShop extends Shop {
  readonly clock: VirtualClock;
  readonly transaction: Transaction;
  /** What its clock does when it begins. */
  readonly clockMode: ClockMode;
  /** Where it begins again. */
  start: Start;
  settings: Settings;
  seed: number;
}

/**
 * Sets a scenario up: loads its records and takes its orders through the shop. What was set up once is not set up
 * again, for nothing that happens later changes it. All settings share it: the orders are made under those of the
 * scenario.
 *
 * @throws Problem `invalid` with what is wrong in the settings, the records or the orders
 */
export function startOf(scenario: ReadyScenario, options: StartOptions = {}): Start {
  const { seed = scenario.seed, now = scenario.now, faults = [] } = options;
  if (!Number.isSafeInteger(seed)) {
    throw new Problem('invalid', `seed: ${seed} is not a whole number up to 2^53 - 1`);
  }
  const settings = settingsOf(scenario, options.settings);
  const beginning = { scenario, seed, now: momentOf(now) };
  const key = JSON.stringify([seed, beginning.now, faults]);
  const past = pastsOf(scenario).get(key) ?? setUp(beginning, faults);
  keep(key, past);
  return startUnder(settings, past);
}

/** Takes a scenario, with the seed, the moment and the settings that it has itself, for one that came to this when it was set up. */
export function preloadStart(scenario: ReadyScenario, state: DatabaseState): void {
  const { seed } = scenario;
  const now = momentOf(scenario.now);
  const start = { scenario, settings: settingsOf(scenario), seed, now, state };
  // Its rows are not counted: most of its tables are text as long as nobody asks for them.
  keep(JSON.stringify([seed, now, []]), pastOf(start, 0));
}

/** A scenario that has been set up with one seed and one moment. */
interface Past {
  /** Where it starts under its own settings. */
  readonly own: Start;
  /** How many rows it keeps in memory. */
  readonly rows: number;
  /** Where it starts under other settings, and under its own. */
  readonly starts: Map<string, Start>;
}

function pastOf(own: Start, rows: number): Past {
  return { own, rows, starts: new Map([[JSON.stringify(own.settings), own]]) };
}

function pastsOf(scenario: ReadyScenario): Map<string, Past> {
  const found = pasts.get(scenario) ?? new Map<string, Past>();
  pasts.set(scenario, found);
  return found;
}

/** Keeps what was asked for last, and lets go of others where there is too much of them. */
function keep(key: string, past: Past): void {
  const known = pastsOf(past.own.scenario);
  known.delete(key);
  known.set(key, past);
  let rows = 0;
  for (const other of known.values()) rows += other.rows;
  for (const [oldest, other] of known) {
    if (other === past || (known.size <= mostStarts && rows <= mostRows)) return;
    known.delete(oldest);
    rows -= other.rows;
  }
}

/** Where a scenario starts under these settings. What is due under them by now happens first. */
function startUnder(settings: Settings, { own, starts }: Past): Start {
  const key = JSON.stringify(settings);
  const found = starts.get(key);
  if (found !== undefined) return found;
  const shop = emptyShop({ ...own, settings });
  restoreDatabase(shop.db, own.state);
  assertNoIssues('set of settings', brokenSettings(shop.db, settings));
  const { writes } = shop.transaction;
  runDueEvents(shop);
  const isChanged = shop.transaction.writes > writes;
  shop.transaction.freeze();
  const start = { ...own, settings, state: isChanged ? stateOf(shop.db) : own.state };
  const [oldest = ''] = [...starts.keys()].slice(1);
  if (starts.size > mostStarts) starts.delete(oldest);
  starts.set(key, start);
  return start;
}

function settingsOf(scenario: ReadyScenario, changes?: SettingsInput): Settings {
  return parsed(Settings, { ...scenario.settings, ...changes }, 'set of settings');
}

function momentOf(text: string): string {
  const moment = parseDateTime(text);
  if (moment !== undefined) return moment;
  throw new Problem('invalid', `now: ${text} is not a moment such as 2026-03-02T09:00:00Z`);
}

/** So many ways to start one scenario are kept: the last one whatever it holds, others with it as long as they are small. */
const mostStarts = 8;
const mostRows = 100_000;

const pasts = new WeakMap<ReadyScenario, Map<string, Past>>();

/** A shop of its own that stands at the start. */
export function openShop(start: Start, options: ClockOptions = {}): OpenShop {
  const shop = emptyShop(start, options.milliseconds);
  restoreDatabase(shop.db, start.state);
  const { clock: clockMode = 'frozen' } = options;
  shop.clock.restore({ now: start.now, mode: clockMode });
  return { ...shop, clockMode, start };
}

/** Makes orders under the settings of the scenario that they come from, then lets happen what is due under its own. */
function setUp(
  { scenario, seed, now }: Pick<Start, 'scenario' | 'seed' | 'now'>,
  faults: readonly FaultRuleInput[],
): Past {
  const settings = settingsOf(scenario);
  const { orders = settings, generate: generation = settings } = scenario.pastSettings ?? {};
  const shop = emptyShop({ settings, seed, now });
  const what = `scenario ${scenario.name}`;
  assertNoIssues(what, loadRecords(shop.db, scenario.data));
  assertNoIssues(what, brokenSettings(shop.db, settings));
  shop.settings = Settings.parse(orders);
  assertNoIssues(what, playOrders(shop, scenario.orders));
  shop.settings = Settings.parse(generation);
  if (scenario.generate !== undefined) generate(shop, scenario.generate);
  shop.settings = settings;
  runDueEvents(shop);
  for (const rule of scenario.script) addRule(shop, rule);
  for (const rule of [...faults, ...scenario.faults]) addFault(shop.db, rule);
  shop.transaction.freeze();
  const state = stateOf(shop.db);
  return pastOf({ scenario, settings, seed, now, state }, rowCount(shop.db));
}

type EmptyShop = Omit<OpenShop, 'start' | 'clockMode'>;

function emptyShop(
  { settings, seed, now }: Pick<Start, 'settings' | 'seed' | 'now'>,
  milliseconds?: Milliseconds,
): EmptyShop {
  const clock = new VirtualClock(now, milliseconds);
  const transaction = new Transaction();
  const db = createDatabase({ clock, transaction });
  return { db, clock, transaction, settings, seed, firedRules: [], matchedRules: [] };
}
