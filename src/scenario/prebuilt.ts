import {
  contentOf,
  storedTable,
  tableNames,
  type DatabaseState,
  type TableName,
} from '../models/database.ts';
import type { StoredRows } from '../store/lazy-tables.ts';
import type { TableState } from '../store/table.ts';
import type { ReadyScenario } from './scenario.ts';
import { preloadStart, type Start } from './start.ts';

/** The serialized start of a scenario: JSON texts. A program that contains it does not set the scenario up. */
export interface PrebuiltStart {
  /** Returns the scenario without its records and orders, which only a scenario that extends it reads. */
  scenario(): string;
  data(): string;
  orders(): string;
  /** Returns the content of a table. */
  table(name: TableName): string;
}

/** Serializes a start: one JSON text in each line. */
export function writeStart({ scenario, state }: Start): string {
  const { data, orders, ...fields } = scenario;
  const tables = tableNames.map((name) => contentOf(state[name]));
  return [fields, [...data], orders, ...tables].map((part) => JSON.stringify(part)).join('\n');
}

/** Reads the UTF-8 of what `writeStart` has written. Each line is decoded when it is read. */
export function readStart(file: Uint8Array): PrebuiltStart {
  const ends = [-1];
  for (let at = file.indexOf(newline); at >= 0; at = file.indexOf(newline, at + 1)) ends.push(at);
  const decoder = new TextDecoder();
  const line = (number: number): string =>
    decoder.decode(file.subarray(ends[number]! + 1, ends[number + 1]));
  return {
    scenario: () => line(0),
    data: () => line(1),
    orders: () => line(2),
    table: (name) => line(3 + tableNames.indexOf(name)),
  };
}

const newline = 10;

/**
 * Returns the scenario of a prebuilt start. Its schema has already parsed it, and does not parse it again. Its records and
 * orders are parsed when they are first read.
 */
export function prebuiltScenario(start: PrebuiltStart): ReadyScenario {
  const fields = JSON.parse(start.scenario()) as Omit<ReadyScenario, 'data' | 'orders'>;
  let data: ReadyScenario['data'] | undefined;
  let orders: ReadyScenario['orders'] | undefined;
  // A spread would read both.
  return Object.defineProperties(fields, {
    data: { enumerable: true, get: () => (data ??= new Map(JSON.parse(start.data()) as Records)) },
    orders: {
      enumerable: true,
      get: () => (orders ??= JSON.parse(start.orders()) as ReadyScenario['orders']),
    },
  }) as ReadyScenario;
}

/** The records of a scenario as a list, since JSON has no maps. */
type Records = [string, object[]][];

/** Opens the scenario of a prebuilt start, which is then not set up. */
export function openStart(start: PrebuiltStart): ReadyScenario {
  const scenario = prebuiltScenario(start);
  preloadStart(scenario, prebuiltState(start));
  return scenario;
}

/** Returns the state of a prebuilt start. Each table is built when it is first read. */
export function prebuiltState(start: PrebuiltStart): DatabaseState {
  const state = {};
  for (const name of tableNames) {
    let table: TableState | undefined;
    Object.defineProperty(state, name, {
      enumerable: true,
      get: () => (table ??= storedTable(name, JSON.parse(start.table(name)) as StoredRows)),
    });
  }
  return state as DatabaseState;
}
