import { machines } from '../checkout/machines/transition.ts';
import type { MachineName } from '../checkout/machines/machine.ts';
import type { ShopEndpoint } from '../resources/endpoint.ts';
import { contract } from '../resources/index.ts';
import { oauthEndpoints, tokenGuard } from '../resources/oauth.ts';
import { documentedStatuses } from '../rest/documented-statuses.ts';
import { statusOf } from '../rest/errors.ts';
import type { ProblemKind } from '../lib/problem.ts';
import { enumReader, type EnumReader } from './enums.ts';
import { ruleId, rulesOf, type Rule } from './rules.ts';

/** What is counted of the contract, in the order of reports. */
export const measures = ['statuses', 'steps', 'states', 'transitions', 'enums', 'rules'] as const;
export type Measure = (typeof measures)[number];

/** One thing of the contract that a suite meets or does not meet. */
export interface Item {
  /** Measure and id: the name in files. */
  readonly key: string;
  readonly measure: Measure;
  /** `POST /api/orders/ 201`, `purchase 402`, `order.cart`, `order.confirm`, `Order.state=cart`. */
  readonly id: string;
  readonly subject: ItemSubject;
}

/** What an item is about, for hints. */
export type ItemSubject =
  | { readonly row: ShopEndpoint; readonly status: number; readonly kind?: ProblemKind | undefined }
  | { readonly row: ShopEndpoint; readonly rule: Rule }
  | { readonly machine: MachineName; readonly state: string }
  | { readonly machine: MachineName; readonly transition: string }
  | { readonly point: string; readonly value: string };

/** The items of one endpoint row, by what a response says. */
export interface RowItems {
  readonly row: ShopEndpoint;
  /** Method and path. The rows of a checkout's steps share it. */
  readonly operation: string;
  readonly statuses: ReadonlyMap<number, Item>;
  /** By status and kind: `400 refused`, `200`. Empty if the row is no step. */
  readonly steps: ReadonlyMap<string, Item>;
  readonly rules: ReadonlyMap<string, Item>;
  readonly enums: EnumReader;
}

/** Everything that is counted, and the items of each row by its key. */
export interface Contract {
  readonly items: readonly Item[];
  readonly rows: ReadonlyMap<string, RowItems>;
}

let known: Contract | undefined;

/** Lists everything of the store API that is counted. The list is made once, because it takes some milliseconds. */
export function contractItems(): Contract {
  return (known ??= listContract());
}

/** Names a row: the rows of a checkout's steps share method and path. Copies of a module have the same keys. */
export function rowKey({ method, path, step = '' }: ShopEndpoint): string {
  return `${method} ${path} ${step}`;
}

function listContract(): Contract {
  const all = [...contract, ...oauthEndpoints];
  const items = new Map<string, Item>();
  const add = (measure: Measure, id: string, subject: ItemSubject): Item => {
    const key = itemKey(measure, id);
    const item = items.get(key) ?? { key, measure, id, subject };
    items.set(key, item);
    return item;
  };
  const operations = Map.groupBy(all, ({ method, path }) => `${method} ${path}`);
  const rows = Array.from(operations, ([operation, group]) => {
    const statuses = statusItems(operation, group, add);
    return group.map((row): [string, RowItems] => [
      rowKey(row),
      {
        row,
        operation,
        statuses,
        steps: stepItems(row, add),
        rules: ruleItems(operation, row, add),
        enums: enumItems(operation, row, add),
      },
    ]);
  }).flat();
  for (const { name, states, transitions } of Object.values(machines)) {
    for (const state of states) add('states', `${name}.${state}`, { machine: name, state });
    for (const { name: one } of transitions)
      add('transitions', `${name}.${one}`, { machine: name, transition: one });
  }
  const sorted = measures.flatMap((measure) =>
    [...items.values()].filter((item) => item.measure === measure),
  );
  return { items: sorted, rows: new Map(rows) };
}

type AddItem = (measure: Measure, id: string, subject: ItemSubject) => Item;

export function itemKey(measure: Measure, id: string): string {
  return `${measure}: ${id}`;
}

/** The statuses of an operation: those of all its rows. */
function statusItems(
  operation: string,
  group: readonly ShopEndpoint[],
  add: AddItem,
): ReadonlyMap<number, Item> {
  const items = new Map<number, Item>();
  for (const row of group) {
    for (const status of statusesOf(row).keys())
      if (!items.has(status))
        items.set(status, add('statuses', `${operation} ${status}`, { row, status }));
  }
  return items;
}

function statusesOf(row: ShopEndpoint): ReadonlyMap<number, readonly ProblemKind[]> {
  return documentedStatuses(row, { isGuarded: tokenGuard.covers(row.path), hasFaults: true });
}

/** What a step itself responds with: its success, and the kinds of errors that the row names. */
function stepItems(row: ShopEndpoint, add: AddItem): ReadonlyMap<string, Item> {
  const { step, status, errors } = row;
  if (step === undefined) return new Map();
  const answers: [string, number, ProblemKind | undefined][] = [
    [stepAnswer(status), status, undefined],
    ...errors.map((kind): [string, number, ProblemKind] => [
      stepAnswer(statusOf[kind], kind),
      statusOf[kind],
      kind,
    ]),
  ];
  return new Map(
    answers.map(([name, code, kind]) => [
      name,
      add('steps', `${step} ${name}`, { row, status: code, kind }),
    ]),
  );
}

/** Names what a step responded with: `200`, `404`, `400 refused`. */
export function stepAnswer(status: number, kind?: ProblemKind): string {
  return status === 400 ? `${status} ${kind ?? ''}` : String(status);
}

function ruleItems(operation: string, row: ShopEndpoint, add: AddItem): ReadonlyMap<string, Item> {
  const name = row.chosenBy === undefined && row.step !== 'confirm' ? '' : ` (${row.step})`;
  return new Map(
    rulesOf(row).map((rule) => {
      const id = ruleId({ path: rule.path.split('.'), message: rule.message });
      return [id, add('rules', `${operation}${name} ${id}`, { row, rule })];
    }),
  );
}

/** Values that no response shows: a GET of such a checkout is refused, and each step leads further. */
export const unreachable: ReadonlySet<string> = new Set([
  'OrderInCheckout.state=abandoned',
  'OrderInCheckout.checkout_state=cart',
]);

function enumItems(operation: string, row: ShopEndpoint, add: AddItem): EnumReader {
  if (row.answer === undefined) return { points: [], read: () => undefined };
  const reader = enumReader(row.answer, operation);
  for (const { name, values } of reader.points)
    for (const value of values.filter((one) => !unreachable.has(`${name}=${one}`)))
      add('enums', `${name}=${value}`, { point: name, value });
  return reader;
}
