import type { ApiDefinition, ApiEndpoint } from '../definition/api.ts';
import { statusOf } from '../rest/errors.ts';
import { enumReader, type EnumPoint } from './enums.ts';
import {
  itemKey,
  measures,
  operationOf,
  rowName,
  ruleId,
  stepAnswer,
  type Measure,
} from './keys.ts';
import { guardsOf, statusesOf } from './statuses.ts';
import { rulesOf, type ValidationRule } from './rules.ts';

/** One thing of the contract that a suite meets or does not meet. */
export interface Item {
  /** Measure and id: the name in files. */
  readonly key: string;
  readonly measure: Measure;
  /** `POST /api/orders/ 201`, `purchase 402`, `order.cart`, `order.confirm`, `Order.state=cart`. */
  readonly id: string;
  readonly subject: ItemSubject;
}

/** The subject of an item, for hints. */
export type ItemSubject =
  | { readonly row: ApiEndpoint; readonly status: number }
  | { readonly row: ApiEndpoint; readonly rule: ValidationRule }
  | { readonly machine: string; readonly state: string }
  | { readonly machine: string; readonly transition: string }
  | { readonly point: EnumPoint; readonly value: string };

/**
 * Lists everything of an API that is counted, by measure. That takes some milliseconds.
 *
 * @param dataRulesOf returns the rules of an endpoint that depend on other records
 */
export function contractItems(
  api: ApiDefinition,
  dataRulesOf: (row: ApiEndpoint) => readonly ValidationRule[],
): readonly Item[] {
  const guards = guardsOf(api);
  const items = new Map<string, Item>();
  const add: AddItem = (measure, id, subject) => {
    const key = itemKey(measure, id);
    if (!items.has(key)) items.set(key, { key, measure, id, subject });
  };
  for (const row of api.endpoints) {
    for (const status of statusesOf(row, guards))
      add('statuses', `${operationOf(row)} ${status}`, { row, status });
    addSteps(row, add);
    for (const rule of [...rulesOf(row), ...dataRulesOf(row)]) {
      const id = ruleId({ path: rule.path.split('.'), message: rule.message });
      add('rules', `${rowName(row, api)} ${id}`, { row, rule });
    }
    addEnums(row, api, add);
  }
  for (const { name, states, transitions } of api.machines) {
    for (const state of states) add('states', `${name}.${state}`, { machine: name, state });
    for (const { name: one } of transitions)
      add('transitions', `${name}.${one}`, { machine: name, transition: one });
  }
  const byMeasure = Map.groupBy(items.values(), ({ measure }) => measure);
  return measures.flatMap((measure) => byMeasure.get(measure) ?? []);
}

type AddItem = (measure: Measure, id: string, subject: ItemSubject) => void;

/** Adds what a step itself responds with: its success, and the kinds of errors that the row names. */
function addSteps(row: ApiEndpoint, add: AddItem): void {
  const { step, status, errors } = row;
  if (step === undefined) return;
  for (const kind of [undefined, ...errors]) {
    const code = kind === undefined ? status : statusOf[kind];
    add('steps', `${step} ${stepAnswer(code, kind)}`, { row, status: code });
  }
}

function addEnums(row: ApiEndpoint, api: ApiDefinition, add: AddItem): void {
  if (row.answer === undefined) return;
  for (const point of enumReader(row.answer, operationOf(row), api).points)
    for (const value of point.values) add('enums', `${point.name}=${value}`, { point, value });
}
