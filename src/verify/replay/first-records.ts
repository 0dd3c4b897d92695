import * as z from 'zod';
import type { ApiDefinition } from '../../engine/definition/api.ts';
import type { ViewNode } from '../../engine/definition/drift.ts';
import type { ScenarioSource } from '../../engine/scenario/scenario.ts';
import { getOrCreate } from '../../engine/lib/maps.ts';
import { valueAt } from '../../engine/lib/json-value.ts';
import { openBackOffice } from '../../engine/office/open-back-office.ts';
import { tablesOf, type AnyDefinition } from '../../engine/store/database.ts';
import { matchRequest } from '../drift/exchange.ts';
import { idsIn, linksOf } from '../drift/rule.ts';
import { viewsIn } from '../drift/shape.ts';
import { nounIn } from './counterparts.ts';
import type { RecordedExchange } from './har-entry.ts';
import { contractUrl, writeTime, type RecordedPlace } from './survey.ts';

type Values = Readonly<Record<string, unknown>>;

/** The scenario that is extended by what a recording shows. */
const base = 'empty';

/**
 * Returns a scenario of what the reads of a recording show, each record as it is first seen, in a shop without orders. What no view
 * shows (stock, categories, prices of variants that no item has) has a neutral value.
 *
 * @param exchanges in the order of their responses
 */
export async function scenarioOfReads(
  exchanges: AsyncIterable<RecordedExchange>,
  place: RecordedPlace,
  api: ApiDefinition,
): Promise<ScenarioSource> {
  const { shop } = openBackOffice({ api, scenario: base });
  const tables = tablesOf(shop.db).all();
  const definitions = new Map(tables.map(({ definition }) => [viewOf(definition), definition]));
  const records = new Map<string, Map<number, Values>>();
  const seen = new Set<string>();
  const prices = new Map<unknown, unknown>();
  let now: string | undefined;
  for await (const exchange of exchanges) {
    now ??= writeTime(exchange);
    for (const node of viewsOf(exchange, place, api)) {
      const definition = definitions.get(node.view.replace(/In(?:Order|Checkout)$/, ''));
      const { id, unit_price: price, variant } = node.value;
      if (definition === undefined || typeof id !== 'number') continue;
      if (price !== undefined) prices.set(valueAt(variant, ['id']), price);
      const isFirst = seen.size < seen.add(`${definition.name} ${id}`).size;
      if (isFirst && exchange.request.method === 'GET')
        getOrCreate(records, definition.name, () => new Map()).set(id, recordOf(definition, node));
    }
  }
  const priced = withPrices(records, prices);
  const changed = tables.flatMap(({ definition: { name }, state: { nextId } }) => {
    const rows = [...(priced.get(name)?.values() ?? [])];
    const next_id = Math.max(nextId, ...rows.map(({ id }) => Number(id) + 1));
    return rows.length === 0 ? [] : [[name, { next_id, rows }] as const];
  });
  const since = shop.clock.now();
  return {
    name: 'recorded',
    description: 'What the reads of a recording show',
    extends: base,
    ...(now !== undefined && { now }),
    changes: { since, tables: Object.fromEntries(changed) },
  };
}

/** Returns the name that the views of a table have: `OrderItem` of the table of order items. */
function viewOf({ singular }: AnyDefinition): string {
  return singular.replaceAll(/(?:^|[ -])(\w)/g, (_, letter: string) => letter.toUpperCase());
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

/** Returns the record that a view shows: each field by its name, by a record in it or by a link, or from the views around it. */
function recordOf({ schema }: AnyDefinition, node: ViewNode): Values {
  const shape: Readonly<Record<string, z.ZodType>> = schema.shape;
  const fields = Object.entries(shape).flatMap(([name, type]) => {
    const shown = name.endsWith('_id') ? idIn(node, name) : node.value[name];
    const value = [shown, idsOf(shown), undefined].find((one) => type.safeParse(one).success);
    const known = value ?? (type instanceof z.ZodOptional ? undefined : neutral(type));
    return known === undefined ? [] : [[name, known] as const];
  });
  return Object.fromEntries(fields);
}

/** Returns the id of the record that a field such as `order_id` refers to. */
function idIn({ value, within }: ViewNode, name: string): unknown {
  const noun = name.replace(/_id$/, '');
  const link = linksOf({ value, view: '', path: [], within }).get(noun);
  const own = valueAt(value, [noun, 'id']) ?? (link && idsIn(link).at(-1));
  if (own !== undefined) return own;
  const outer = within.find((one) => nounIn(one.view) === nounIn(noun));
  const [parent] = within;
  return outer?.value['id'] ?? (parent && valueAt(parent.value, [noun, 'id']));
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

/** Returns records with the prices that items of orders show. */
function withPrices(
  records: ReadonlyMap<string, ReadonlyMap<number, Values>>,
  prices: ReadonlyMap<unknown, unknown>,
): ReadonlyMap<string, ReadonlyMap<number, Values>> {
  const variants = Array.from(records.get('variants') ?? [], ([id, record]) => {
    const price = prices.get(id);
    return [id, price === undefined ? record : { ...record, price }] as const;
  });
  return new Map(records).set('variants', new Map(variants));
}
