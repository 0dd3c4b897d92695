import type { ApiDefinition } from '../definition/api.ts';
import type { FaultRuleInput } from '../faults/fault-rule.ts';
import type { WeatherName } from '../faults/weather.ts';
import type { ScenarioRecords } from './data.ts';
import type { ScenarioChanges } from './format.ts';

/** Settings of an API by name. */
export type SettingValues = Readonly<Record<string, unknown>>;

/** A scenario as its author writes it. The back office that opens it validates it. */
export interface ScenarioSource {
  readonly name: string;
  readonly description: string;
  readonly extends?: string | undefined;
  readonly seed?: number | undefined;
  readonly now?: string | undefined;
  readonly settings?: object | undefined;
  readonly changes?: { readonly since: string; readonly tables: object } | undefined;
}

/** The fields that a scenario of every API has, after its format has parsed them. */
export interface ScenarioFields {
  readonly name: string;
  readonly description: string;
  readonly seed: number;
  readonly now: string;
  readonly settings: SettingValues;
  readonly script: readonly unknown[];
  readonly faults: readonly FaultRuleInput[];
  /** Named faults before the others. */
  readonly weather?: WeatherName | undefined;
  readonly changes?: ScenarioChanges | undefined;
  /** The parts that an API adds: `scenarioParts`. */
  readonly [part: string]: unknown;
}

/** A scenario with its records loaded, merged with the scenario that it extends. */
export interface ReadyScenario extends ScenarioFields, ScenarioRecords {
  readonly api: ApiDefinition;
  /** If this scenario extends another one: the settings of the scenarios that its parts come from. */
  readonly pastSettings?: Readonly<Record<string, SettingValues>> | undefined;
  /** Of a trace: what it was opened from, since no name finds it. */
  readonly source?: ScenarioSource | undefined;
  /** The scenario that the `changes` begin with. */
  readonly unchanged?: ReadyScenario | undefined;
}
