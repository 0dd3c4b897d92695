import { lazyRecord } from '../lib/lazy-object.ts';
import type { ApiDefinition } from '../definition/api.ts';
import { parseJson } from '../lib/json-value.ts';
import { contentOf, definitionOf, stateOfStored, type DatabaseState } from '../store/database.ts';
import type { TableChanges } from '../store/state-difference.ts';
import type { ReadyScenario, ScenarioFields } from './scenario.ts';
import type { Values } from '../store/row.ts';
import { preloadStart, type Start } from './start.ts';

/** The serialized start of a scenario: JSON texts. A program that contains it does not set the scenario up. */
export interface PrebuiltStart {
  /** Returns the scenario without its records and orders, which only a scenario that extends it reads. */
  scenario(): string;
  data(): string;
  orders(): string;
  /** Returns the content of a table. */
  table(key: string): string;
}

/** Serializes a start: one JSON text in each line. */
export function writeStart({ scenario, state }: Start): string {
  const { api: _, data, orders, ...fields } = scenario;
  const tables = Object.values(state).map((table) => contentOf(table));
  return [fields, [...data], orders, ...tables].map((part) => JSON.stringify(part)).join('\n');
}

/** Reads the UTF-8 of what `writeStart` has written. Each line is decoded when it is read. */
export function readStart(file: Uint8Array, { tables }: ApiDefinition): PrebuiltStart {
  const ends = [-1];
  for (let at = file.indexOf(newline); at >= 0; at = file.indexOf(newline, at + 1)) ends.push(at);
  const decoder = new TextDecoder();
  const line = (number: number): string =>
    decoder.decode(file.subarray(ends[number]! + 1, ends[number + 1]));
  return {
    scenario: () => line(0),
    data: () => line(1),
    orders: () => line(2),
    table: (key) => line(3 + Object.keys(tables).indexOf(key)),
  };
}

const newline = 10;

/**
 * Returns the scenario of a prebuilt start. Its schema has already parsed it, and does not parse it again. Its records and
 * orders are parsed when they are first read.
 */
export function prebuiltScenario(start: PrebuiltStart, api: ApiDefinition): ReadyScenario {
  const fields = JSON.parse(start.scenario()) as ScenarioFields;
  let data: ReadyScenario['data'] | undefined;
  let orders: unknown;
  return {
    ...fields,
    api,
    get data() {
      return (data ??= new Map(JSON.parse(start.data()) as Records));
    },
    get orders() {
      return (orders ??= parseJson(start.orders()));
    },
  };
}

/** The records of a scenario as a list, since JSON has no maps. */
type Records = [string, Values[]][];

/** Opens the scenario of a prebuilt start, which is then not set up. */
export function openStart(start: PrebuiltStart, api: ApiDefinition): ReadyScenario {
  const scenario = prebuiltScenario(start, api);
  preloadStart(scenario, prebuiltState(start, api));
  return scenario;
}

/** Returns the state of a prebuilt start. Each table is built when it is first read. */
export function prebuiltState(start: PrebuiltStart, { tables }: ApiDefinition): DatabaseState {
  return lazyRecord(Object.keys(tables), (key) =>
    stateOfStored(definitionOf(tables, key), JSON.parse(start.table(key)) as TableChanges),
  );
}
