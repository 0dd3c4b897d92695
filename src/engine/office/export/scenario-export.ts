import { isBuiltIn, openBuiltIn } from '../../scenario/built-in.ts';
import type { ScenarioSource, SettingValues } from '../../scenario/scenario.ts';
import type { EngineSettings } from '../../definition/api.ts';
import { settingsOf, startOf } from '../../scenario/start.ts';
import type { DatabaseState } from '../../store/database.ts';
import { isSameText, tablesBetween, type TablesChanges } from '../../store/state-difference.ts';
import type { ShopState } from '../snapshots.ts';

/** A scenario that opens to a state of a shop. */
export interface StateScenario extends ScenarioSource {
  readonly extends: string;
  readonly seed: number;
  readonly now: string;
  readonly changes: { readonly since: string; readonly tables: TablesChanges };
}

/**
 * Returns a scenario that opens to a state: a built-in scenario with what has changed since, or the scenario `empty` with
 * all records, if the state comes from another one.
 *
 * @param earlier a state of the same start, for a scenario with only the changes since
 */
export function scenarioOf(
  { start, seed, settings, state, clock }: ShopState,
  texts: { readonly name: string; readonly description: string },
  earlier?: { readonly state: DatabaseState },
): StateScenario {
  const { api, unchanged = start.scenario, changes } = start.scenario;
  const base = isBuiltIn(unchanged) ? unchanged : openBuiltIn(api, 'empty');
  const since = changes?.since ?? start.now;
  const before = earlier ?? startOf(base, { seed, now: since, settings });
  return {
    ...texts,
    extends: base.name,
    seed,
    now: clock.now,
    ...differentSettings(settingsOf(base), settings),
    changes: { since, tables: tablesBetween(before.state, state, isSameText) },
  };
}

/** Returns the settings that differ from earlier ones; nothing if there are none. */
export function differentSettings(
  before: EngineSettings,
  after: EngineSettings,
): { readonly settings?: SettingValues } {
  const from: Readonly<Record<string, unknown>> = before;
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(from[name]),
  );
  return changed.length === 0 ? {} : { settings: Object.fromEntries(changed) };
}
