import * as z from 'zod';
import type { ApiDefinition } from '../../engine/definition/api.ts';
import type { ViewNode } from '../../engine/definition/drift.ts';
import { isBelow } from '../../engine/lib/api-path.ts';
import { getOrCreate } from '../../engine/lib/maps.ts';
import { valueAt } from '../../engine/lib/json-value.ts';
import { openBackOffice } from '../../engine/office/open-back-office.ts';
import { tablesOf, type AnyDefinition } from '../../engine/store/database.ts';
import { matchRequest } from '../../engine/definition/match-request.ts';
import { idsIn, linksOf, viewNamed } from '../drift/rule.ts';
import { viewsIn } from '../drift/shape.ts';
import { nounIn } from './counterparts.ts';
import type { RecordedExchange } from './har-entry.ts';
import { contractUrl, writeTime, type RecordedPlace } from './survey.ts';

type Values = Readonly<Record<string, unknown>>;

/** The scenario that is extended by what a recording shows. */
const base = 'empty';

/** The records that responses show. */
export interface ShownRecords {
  /** By the name of their table, and by their ids. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<number, Values>>;
  /** By the name of their table: the ids of those that have been read alone or in a list, not only in another record. */
  readonly read: ReadonlyMap<string, ReadonlySet<number>>;
  /** The time of the first write. */
  readonly now: string | undefined;
}

/**
 * Returns the records that reads show, each field as it is first seen. What no view shows (stock, categories, prices of variants
 * that no item has) has a neutral value.
 *
 * @param exchanges in the order of their responses
 */
export async function recordsOfReads(
  exchanges: AsyncIterable<RecordedExchange>,
  place: RecordedPlace,
  api: ApiDefinition,
): Promise<ShownRecords> {
  const definitions = new Map(
    Object.values(api.tables).map((one) => [viewNamed(one.singular), one]),
  );
  const records = new Map<AnyDefinition, Map<number, Values>>();
  const read = new Map<string, Set<number>>();
  const created = new Set<string>();
  const prices = new Map<unknown, unknown>();
  let now: string | undefined;
  let isChanged = false;
  for await (const exchange of exchanges) {
    now ??= writeTime(exchange);
    const isRead = exchange.request.method === 'GET';
    isChanged ||= mayChange(exchange, place);
    const nodes = viewsOf(exchange, place, api);
    for (const node of nodes) {
      const definition = definitions.get(recordIn(node));
      const { id, unit_price: price, variant } = node.value;
      if (definition === undefined || typeof id !== 'number') continue;
      if (price !== undefined) prices.set(valueAt(variant, ['id']), price);
      const { name } = definition;
      const known = getOrCreate(records, definition, () => new Map());
      if (!isRead && !known.has(id)) created.add(`${name} ${id}`);
      // After a write, a record may show what it did not have before.
      if (created.has(`${name} ${id}`) || (isChanged && known.has(id))) continue;
      known.set(id, { ...shownIn(definition, node, nodes), ...known.get(id) });
      for (const [to, row] of lookupsIn(definition, node.value, api))
        getOrCreate(records, to, () => new Map()).set(Number(row['id']), row);
      if (node.within.every(({ view }) => view === 'Page'))
        getOrCreate(read, name, () => new Set()).add(id);
    }
  }
  const tables = Array.from(records, ([definition, rows]) => {
    const whole = Array.from(rows, ([id, row]) => [id, recordOf(definition, row, prices)] as const);
    return [definition.name, new Map(whole)] as const;
  });
  return { tables: new Map(tables), read, now };
}

/**
 * Returns a scenario of the records that reads show, in a shop without orders.
 *
 * @param isWhole whether all records were read, so that the others of the shop are removed, and those that only other records show
 *   are deleted
 */
export function scenarioOfRecords(
  { tables: shown, read, now }: ShownRecords,
  api: ApiDefinition,
  isWhole = false,
) {
  const { shop } = openBackOffice({ api, scenario: base });
  const tables = tablesOf(shop.db)
    .all()
    .flatMap(({ definition: { name, softDelete }, state }) => {
      const all = [...(shown.get(name)?.values() ?? [])];
      const isGone = ({ id }: Values): boolean =>
        isWhole &&
        softDelete === true &&
        read.has(name) &&
        read.get(name)?.has(Number(id)) !== true;
      const [rows, gone] = [all.filter((one) => !isGone(one)), all.filter(isGone)];
      const others = [...state.rows.values(), ...state.deleted.values()].map(({ id }) => id);
      const removed = isWhole ? others.filter((id) => shown.get(name)?.has(id) !== true) : [];
      if (all.length + removed.length === 0) return [];
      const next_id = Math.max(state.nextId, ...all.map(({ id }) => Number(id) + 1));
      const changes = { next_id, rows, ...(gone.length > 0 && { gone }) };
      return [[name, removed.length > 0 ? { ...changes, removed } : changes] as const];
    });
  return {
    name: 'recorded',
    description: 'What the reads of a recording show',
    extends: base,
    ...(now !== undefined && { now }),
    changes: { since: shop.clock.now(), tables: Object.fromEntries(tables) },
  };
}

/** Whether a request may have changed records. A token is none of them, and what is refused has changed nothing. */
function mayChange({ request, response, url }: RecordedExchange, place: RecordedPlace): boolean {
  if (/^(GET|HEAD|OPTIONS)$/.test(request.method)) return false;
  const isRefused = response.status >= 400 && response.status < 500;
  return !isRefused && !isBelow('/oauth', contractUrl(url, place));
}

function viewsOf(
  { request, response, url }: RecordedExchange,
  place: RecordedPlace,
  api: ApiDefinition,
): ViewNode[] {
  const { row } = matchRequest({ ...request, url: contractUrl(url, place) }, { api });
  if (row?.answer === undefined || response.status >= 300) return [];
  return viewsIn(row.answer, response.json, api.views());
}

/** Returns the fields of a record that a view shows: by their names, by a record in it or by a link, or from the views around it. */
function shownIn({ schema }: AnyDefinition, node: ViewNode, nodes: readonly ViewNode[]): Values {
  const shape: Readonly<Record<string, z.ZodType>> = schema.shape;
  const fields = Object.entries(shape).flatMap(([name, type]) => {
    const shown = name.endsWith('_id') ? idIn(node, name, nodes) : node.value[name];
    const value = [shown, idsOf(shown)].find((one) => type.safeParse(one).success);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(fields);
}

/** Returns a record with a neutral value for each field that no view has shown. A price is that which items of orders show. */
function recordOf(
  { schema, name: table }: AnyDefinition,
  shown: Values,
  prices: ReadonlyMap<unknown, unknown>,
): Values {
  const shape: Readonly<Record<string, z.ZodType>> = schema.shape;
  const price = table === 'variants' ? prices.get(shown['id']) : undefined;
  const known = price === undefined ? shown : { ...shown, price };
  const fields = Object.entries(shape).flatMap(([name, type]) => {
    const value = known[name] ?? (type instanceof z.ZodOptional ? undefined : neutral(type));
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(fields);
}

/** Returns the id of the record that a field such as `order_id` refers to. */
function idIn(node: ViewNode, name: string, nodes: readonly ViewNode[]): unknown {
  const { value, within } = node;
  const noun = name.replace(/_id$/, '');
  const link = linksOf({ value, view: '', path: [], within }).get(noun);
  const own = valueAt(value, [noun, 'id']) ?? (link && idsIn(link).at(-1));
  if (own !== undefined) return own;
  const isOf = (one: ViewNode): boolean => nounIn(recordIn(one)) === nounIn(noun);
  const inner = nodes.find((one) => one.within[0] === node && isOf(one));
  const [parent] = within;
  const other = inner ?? within.find(isOf);
  return other?.value['id'] ?? (parent && valueAt(parent.value, [noun, 'id']));
}

/** Returns the name of the record that a view shows: `Order` of `OrderInCheckout`. */
function recordIn({ view }: ViewNode): string {
  return view.replace(/In(?:Order|Checkout)$/, '');
}

/** Returns the records that a view shows whole in the place of their ids, such as the currencies of a channel. */
function lookupsIn(
  { references = {} }: AnyDefinition,
  value: Values,
  api: ApiDefinition,
): [AnyDefinition, Values][] {
  return Object.entries(references).flatMap(([name, to = '']) => {
    const [definition, shown] = [api.tables[to], value[name]];
    if (definition === undefined || !Array.isArray(shown)) return [];
    return shown
      .filter((one): one is Values => definition.schema.safeParse(one).success)
      .map((one): [AnyDefinition, Values] => [definition, one]);
  });
}

function idsOf(list: unknown): unknown {
  return Array.isArray(list) ? list.map((one) => valueAt(one, ['id'])) : undefined;
}

/** Returns the first value of a type that says nothing. */
function neutral(type: z.ZodType): unknown {
  const first = type instanceof z.ZodEnum ? type.options[0] : undefined;
  const values: readonly unknown[] = [first, false, 0, '', [], {}, '2000-01-01T00:00:00+0000', 1];
  return values.find((one) => one !== undefined && type.safeParse(one).success);
}
