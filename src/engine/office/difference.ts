import { tablesOf } from '../store/database.ts';
import { addDuration, toDate } from '../lib/duration.ts';
import { memoized } from '../lib/memoized.ts';
import { Problem } from '../lib/problem.ts';
import type { ClockState } from '../lib/virtual-clock.ts';
import type { EngineSettings } from '../definition/api.ts';
import { openState } from '../scenario/built-in.ts';
import type { ReadyScenario, ScenarioSource, SettingValues } from '../scenario/scenario.ts';
import { settingsOf, type Start } from '../scenario/start.ts';
import { changedTables } from '../scenario/changes.ts';
import { tablesBetween, type TablesChanges } from '../store/state-difference.ts';
import type { AnyScenario, BackOffice } from './back-office.ts';
import { assertSoundTables, scenarioDigest } from './definition-digest.ts';
import { differentSettings } from './export/scenario-export.ts';
import { initialState, restoreState, type ShopState } from './snapshots.ts';

/** A start by its name and options, from which `reset` makes it again. */
export interface NamedStart {
  /** The name of the scenario; the scenario itself, if it is that of a trace. */
  readonly scenario: string | ScenarioSource;
  readonly seed: number;
  readonly now: string;
  /** Whether the scenario was moved to `now` by whole weeks. */
  readonly today?: true;
  /** Settings that differ from those of the scenario. */
  readonly settings?: SettingValues;
}

/** The difference between a state and its start. */
interface StateDifference {
  readonly start: NamedStart;
  readonly clock: ClockState;
  readonly seed?: number;
  readonly settings?: EngineSettings;
  readonly tables: TablesChanges;
}

/**
 * A back office as the difference from its start, as a value that JSON can represent. Of the journal, only the id of its next
 * entry is in it, so that an id never means another entry.
 */
export interface BackOfficeDifference extends StateDifference {
  /** Absent if it is 1, or not known. */
  readonly nextEntry?: number;
  readonly snapshots?: readonly (StateDifference & { readonly name: string })[];
}

/** The parts of a back office that a difference is made of. */
export interface SavedOffice extends Pick<BackOffice, 'shop'> {
  readonly snapshots: Pick<BackOffice['snapshots'], 'list'>;
  /** Absent if other journals than this one are of the same state. */
  readonly journal?: Pick<BackOffice['journal'], 'nextId'>;
}

/**
 * Returns the state of a back office as its difference from the start, in a time that depends on the changes and not on
 * the size of the shop. Only an import is compared row by row.
 */
export function differenceOfOffice({
  shop,
  snapshots,
  journal: { nextId } = { nextId: 1 },
}: SavedOffice): BackOfficeDifference {
  const { start, settings, seed, clock, db } = shop;
  const tables = tablesBetween(start.state, tablesOf(db).changedFrom(start.state));
  const named = snapshots.list();
  return {
    ...stateDifference({ start, settings, seed, clock: clock.state }, tables),
    ...(nextId > 1 && { nextEntry: nextId }),
    ...(named.length > 0 && {
      snapshots: named.map(({ name, state }) => ({ name, ...savedDifference(state) })),
    }),
  };
}

/**
 * Replaces the state of a back office by one that was returned by `differenceOfOffice`. The journal and the history begin
 * again, and the ids of their entries continue.
 *
 * @param find returns the scenario of a name
 * @param how.passed real time since the difference was made, in milliseconds, by which a ticking clock has advanced
 * @param how.isOther whether it may be of another definition (default: false)
 * @throws Problem if a start cannot be made again, for instance because its scenario is not found, or if it does not fit
 * the definition
 */
export function applyDifference(
  office: BackOffice,
  difference: BackOfficeDifference,
  find: (name: string) => AnyScenario,
  { passed = 0, isOther = false }: { readonly passed?: number; readonly isOther?: boolean } = {},
): void {
  office.snapshots.clear();
  for (const { name, ...saved } of difference.snapshots ?? []) {
    restoreDifference(office, saved, find, { passed: 0, isOther });
    office.snapshot(name);
  }
  restoreDifference(office, difference, find, { passed, isOther });
  // No entry of a history could be undone: the writes above have no undo.
  office.journal.reset(difference.nextEntry);
}

/**
 * Moves the data of a back office to one of another definition, if they fit it.
 *
 * @param find returns the scenario of a name
 * @returns why they do not fit, in which case the other back office is as it was opened
 */
export function carryOver(
  from: BackOffice,
  to: BackOffice,
  find: (name: string) => ReadyScenario,
): string | undefined {
  try {
    const snapshots = from.snapshots.list().map(({ state }) => scenarioOf(state.start));
    for (const before of new Set([scenarioOf(from.shop.start), ...snapshots]))
      if (scenarioDigest(find(before.name)) !== scenarioDigest(before))
        throw new Problem('refused', `the scenario ${before.name} has changed`);
    applyDifference(to, differenceOfOffice(from), find, { isOther: true });
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    to.snapshots.clear();
    to.reset();
    to.journal.reset(from.journal.nextId);
    return error.message;
  }
}

function restoreDifference(
  office: BackOffice,
  { start, clock, seed, settings, tables }: StateDifference,
  find: (name: string) => AnyScenario,
  { passed, isOther }: { readonly passed: number; readonly isOther: boolean },
): void {
  const { shop } = office;
  resetTo(office, start, find);
  if (seed !== undefined) shop.seed = seed;
  if (settings !== undefined) shop.settings = settings;
  const { api, db, start: made } = shop;
  const changed = changedTables(made.state, api, tables, isOther ? shop.clock : undefined);
  for (const [key, state] of Object.entries(changed)) db[key]?.restore(state);
  if (isOther) assertSoundTables(db, Object.keys(changed));
  const seconds = clock.mode === 'ticking' ? Math.max(0, Math.floor(passed / 1000)) : 0;
  const now = seconds === 0 ? clock.now : addDuration(clock.now, `PT${seconds}S`);
  shop.clock.restore({ ...clock, now });
}

/** Returns the scenario by whose name a start is made again: of a trace, the one that it differs from. */
export function scenarioOf({ scenario }: Pick<Start, 'scenario'>): ReadyScenario {
  return (scenario.source && scenario.unchanged) ?? scenario;
}

/** Restores a start, which may be that of another scenario or of a trace. */
function resetTo(office: BackOffice, named: NamedStart, find: (name: string) => AnyScenario): void {
  const { shop } = office;
  if (!isNamed(shop.start, named)) {
    const { scenario, seed, now, today = false, settings } = named;
    const at = today ? { currentTime: () => toDate(now).getTime() } : { now };
    const { counted = shop.start.state } = shop.start;
    const isState = typeof scenario !== 'string';
    const found = isState ? openState(shop.api, scenario) : find(scenario);
    office.reset(found, { seed, settings, today, ...at });
    if (!isNamed(shop.start, named)) {
      const { name } = isState ? scenario : { name: scenario };
      throw new Problem('refused', `Scenario ${name} has another start than it had.`);
    }
    if (isState) shop.start = { ...shop.start, counted };
  }
  restoreState(shop, initialState(shop.start, shop));
}

function isNamed(start: Start, named: NamedStart): boolean {
  return JSON.stringify(nameOf(start)) === JSON.stringify(named);
}

const nameOf = /* @__PURE__ */ memoized(
  ({ scenario, seed, now, origin, settings }: Start): NamedStart => ({
    scenario: scenario.source ?? scenario.name,
    seed,
    now,
    ...(origin !== undefined && { today: true as const }),
    ...differentSettings(settingsOf(scenario), settings),
  }),
);

/** Returns the difference of a snapshot, which never changes. */
const savedDifference = /* @__PURE__ */ memoized((state: ShopState) =>
  stateDifference(state, tablesBetween(state.start.state, state.state)),
);

function stateDifference(
  { start, settings, seed, clock }: Omit<ShopState, 'state'>,
  tables: TablesChanges,
): StateDifference {
  return {
    start: nameOf(start),
    clock,
    ...(seed !== start.seed && { seed }),
    ...(settings !== start.settings && { settings }),
    tables,
  };
}
