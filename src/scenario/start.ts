import { addRule } from '../checkout/script-rules.ts';
import {
  createDatabase,
  restoreDatabase,
  rowsHeld,
  stateOf,
  type DatabaseState,
} from '../models/database.ts';
import { readMoment } from '../models/duration.ts';
import { Transaction } from '../models/transaction.ts';
import { Problem } from '../problem.ts';
import type { Shop } from '../resources/endpoint.ts';
import { ShopClock, type ClockMode, type Milliseconds } from './clock.ts';
import { addFault, type FaultRuleInput } from './fault-rules.ts';
import { generate } from './generate/generate.ts';
import { loadRecords } from './load-records.ts';
import { danglingSettings } from './references.ts';
import { refuseMistakes } from './mistakes.ts';
import { parsed } from './open-scenario.ts';
import { playOrders } from './play-orders.ts';
import type { ReadyScenario } from './scenario.ts';
import { Settings, type SettingsInput } from './settings.ts';

/** What a scenario leaves open, or what is to be other than it says. */
export interface StartOptions {
  readonly seed?: number | undefined;
  readonly now?: string | undefined;
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
  readonly clock: ShopClock;
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
 * again, for nothing that happens later changes it.
 *
 * @throws Problem `invalid` with what is wrong in the settings, the records or the orders
 */
export function startOf(scenario: ReadyScenario, options: StartOptions = {}): Start {
  const { key, ...start } = wanted(scenario, options);
  const found = startsOf(scenario).get(key) ?? setUp(start, options.faults ?? []);
  keep(key, found);
  return found.start;
}

/** Takes a scenario, with the seed, the moment and the settings that it has itself, for one that came to this when it was set up. */
export function takeAsSetUp(scenario: ReadyScenario, state: DatabaseState): void {
  const { key, ...start } = wanted(scenario, {});
  // Its rows are not counted: most of its tables are text as long as nobody asks for them.
  keep(key, { start: { ...start, state }, rows: 0 });
}

/** Where it is to start, under a key that is the same for the same start. */
function wanted(
  scenario: ReadyScenario,
  {
    seed = scenario.seed,
    now: moment = scenario.now,
    settings: changes,
    faults = [],
  }: StartOptions,
): Omit<Start, 'state'> & { readonly key: string } {
  const settings = parsed(Settings, { ...scenario.settings, ...changes }, 'set of settings');
  const now = momentOf(moment);
  return { key: JSON.stringify([seed, now, settings, faults]), scenario, settings, seed, now };
}

/** A start, and how many rows it keeps in memory. */
interface Kept {
  readonly start: Start;
  readonly rows: number;
}

function startsOf(scenario: ReadyScenario): Map<string, Kept> {
  const found = starts.get(scenario) ?? new Map<string, Kept>();
  starts.set(scenario, found);
  return found;
}

/** Keeps a start as the one that was asked for last, and lets go of others where there is too much of them. */
function keep(key: string, one: Kept): void {
  const known = startsOf(one.start.scenario);
  known.delete(key);
  known.set(key, one);
  let rows = 0;
  for (const other of known.values()) rows += other.rows;
  for (const [oldest, other] of known) {
    if (other === one || (known.size <= mostStarts && rows <= mostRows)) return;
    known.delete(oldest);
    rows -= other.rows;
  }
}

function momentOf(text: string): string {
  const moment = readMoment(text);
  if (moment !== undefined) return moment;
  throw new Problem('invalid', `now: ${text} is not a moment such as 2026-03-02T09:00:00Z`);
}

/** So many ways to start one scenario are kept: the last one whatever it holds, others with it as long as they are small. */
const mostStarts = 8;
const mostRows = 100_000;

const starts = new WeakMap<ReadyScenario, Map<string, Kept>>();

/** A shop of its own that stands at the start. */
export function openShop(start: Start, options: ClockOptions = {}): OpenShop {
  const shop = emptyShop(start, options.milliseconds);
  restoreDatabase(shop.db, start.state);
  const { clock: clockMode = 'frozen' } = options;
  shop.clock.restore({ now: start.now, mode: clockMode });
  return { ...shop, clockMode, start };
}

function setUp(
  { scenario, ...start }: Omit<Start, 'state'>,
  faults: readonly FaultRuleInput[],
): Kept {
  const shop = emptyShop(start);
  const what = `scenario ${scenario.name}`;
  refuseMistakes(what, loadRecords(shop.db, scenario.data));
  refuseMistakes(what, danglingSettings(shop.db, start.settings));
  refuseMistakes(what, playOrders(shop, scenario.orders));
  if (scenario.generate !== undefined) generate(shop, scenario.generate);
  for (const rule of scenario.script) addRule(shop, rule);
  for (const rule of [...faults, ...scenario.faults]) addFault(shop.db, rule);
  shop.transaction.freeze();
  return { start: { scenario, ...start, state: stateOf(shop.db) }, rows: rowsHeld(shop.db) };
}

type EmptyShop = Omit<OpenShop, 'start' | 'clockMode'>;

function emptyShop(
  { settings, seed, now }: Pick<Start, 'settings' | 'seed' | 'now'>,
  milliseconds?: Milliseconds,
): EmptyShop {
  const clock = new ShopClock(now, milliseconds);
  const transaction = new Transaction();
  const db = createDatabase({ clock, transaction });
  return { db, clock, transaction, settings, seed, acted: [], counted: [] };
}
