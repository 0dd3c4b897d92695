import type { ApiContext, ApiEndpoint, EngineShop } from '../definition/api.ts';
import { valueAt } from '../lib/json-value.ts';
import { memoized } from '../lib/memoized.ts';
import { Problem } from '../lib/problem.ts';
import type { AnyCall } from '../rest/endpoint.ts';
import { form } from '../rest/form.ts';
import type { AnyDatabase } from '../store/database.ts';
import { isRow } from '../store/row.ts';
import type { ExtendedViews } from './extended-views.ts';
import type { Extension } from './extension.ts';
import {
  bodyShape,
  described,
  criteriaShape,
  divide,
  exampleBody,
  filterOf,
  idsIn,
  referenceIssues,
  sortedFields,
  storedValues,
  valueIn,
  type Fields,
  type Referring,
} from './field-set.ts';
import { userIssues } from './user-check.ts';
import { callOf } from './user-endpoint.ts';
import type { RowTables } from './row-tables.ts';

/** The context in which the rows of an API are extended. */
export interface RowContext {
  readonly added: Readonly<Record<string, Fields>>;
  readonly views: ExtendedViews;
  readonly rowTables: RowTables;
  readonly rules: NonNullable<Extension['rules']>;
  /** The fields that refer to records, by the key of their table. */
  readonly referring: Readonly<Record<string, readonly Referring[]>>;
  /** The name of the record of a step: `order`. */
  readonly singular: string | undefined;
}

/** Returns a row with what is added to its table: parameters, filters, fields of its response, rules. */
export function extendedRow(row: ApiEndpoint, context: RowContext): ApiEndpoint {
  const { added, views, rowTables, referring } = context;
  const written = rowTables.writtenBy(row);
  const stored = added[written ?? ''] ?? none;
  const listed = added[rowTables.listedBy(row) ?? ''] ?? none;
  const ruleName = row.step !== undefined && row.step in context.rules ? row.step : routeOf(row);
  const rule = context.rules[ruleName];
  const named = row.step === undefined ? undefined : context.singular;
  const deleted = row.method === 'DELETE' ? rowTables.recordAt(row) : undefined;
  const isReferred = Object.values(referring)
    .flat()
    .some(({ table }) => table === deleted);
  const parameters: Fields = { ...stored, ...rule?.body };
  const change = row.answer && views.changeOf(row.answer);
  const answer = row.answer && views.schemaOf(row.answer);
  const isSame = [parameters, listed].every((fields) => Object.keys(fields).length === 0);
  const shown = (value: unknown, shop: EngineShop): unknown => change?.(value, shop) ?? value;
  if (isSame && !rule && !isReferred)
    return answer === row.answer
      ? row
      : { ...row, answer, handle: (call) => shown(row.handle(call), call.shop) };
  return {
    ...row,
    answer,
    ...extendedForms(row, parameters, listed),
    check: (call) => {
      const [own, body] = divide(parameters, call.body);
      return [
        ...(row.check?.({ ...call, body }) ?? []),
        ...referenceIssues(parameters, call.shop.db, own),
        ...userIssues(`rules.${ruleName}`, rule?.check?.(callOf(call, named)) ?? []),
      ];
    },
    handle(call) {
      const { db, settings } = call.shop;
      const [own, body] = divide(parameters, call.body);
      const [, sent] = divide(parameters, call.sent);
      const where = bothOf(call.where, filterOf(listed, valueAt(call.query, ['criteria'])));
      if (deleted !== undefined) followDeletion(db, referring, deleted, lastId(call));
      const value = row.handle({ ...call, body, sent, where });
      const values = storedValues(stored, own, row.method, settings);
      const id = row.method === 'POST' && isRow(value) ? value.id : lastId(call);
      if (written !== undefined && Object.keys(values).length > 0) db[written]?.change(id, values);
      return shown(value, call.shop);
    },
  };
}

type Filter = ApiContext['where'];

/** An extension of an extension filters, too. */
function bothOf(one: Filter, other: Filter): Filter {
  return one && other ? (row) => one(row) && other(row) : (one ?? other);
}

const none: Fields = {};

function routeOf({ method, path }: ApiEndpoint): string {
  return `${method} ${path}`;
}

/** Returns the id at the end of a path. */
function lastId({ params }: Pick<AnyCall<ApiContext>, 'params'>): number {
  return Number(Object.values(params).at(-1));
}

/** Returns the body with added parameters, and the query with added criteria and sort fields. A form without `with` stays. */
function extendedForms(
  row: ApiEndpoint,
  parameters: Fields,
  listed: Fields,
): Partial<Pick<ApiEndpoint, 'body' | 'query' | 'example'>> {
  const shape = bodyShape(parameters, described);
  const { query } = row;
  const hasParameters = Object.keys(shape).length > 0;
  const body = row.body?.with?.(shape, []) ?? form(shape);
  const example = { ...row.example.body, ...exampleBody(parameters) };
  return {
    ...(hasParameters && { body, example: { ...row.example, body: example } }),
    ...(query?.with && {
      query: query.with(criteriaShape(listed, described), sortedFields(listed)),
    }),
  };
}

type Deleted = readonly [table: string, id: number];

/**
 * Does what fields say of records that refer to a deleted one, and of those that refer to records that are deleted with it.
 *
 * @throws Problem `refused` if a record that stays refers to one of them, and its field does not say what happens to it
 */
function followDeletion(
  db: AnyDatabase,
  referring: RowContext['referring'],
  table: string,
  id: number,
): void {
  const references = referencesTo(db, referring);
  const first: Deleted = [table, id];
  const all = new Map([[first.join(' '), first]]);
  // A map goes on with what is added meanwhile.
  for (const deleted of all.values()) {
    for (const { key, id: other, onDelete } of references(deleted)) {
      if (onDelete === 'delete') all.set(`${key} ${other}`, [key, other]);
    }
  }
  for (const deleted of all.values()) {
    for (const { key, id: other, name, isList, onDelete } of references(deleted)) {
      const referrer = db[key];
      const row = all.has(`${key} ${other}`) ? undefined : referrer?.get(other);
      if (referrer === undefined || row === undefined) continue;
      if (onDelete !== 'clear')
        throw new Problem(
          'refused',
          `The ${referrer.definition.singular} ${other} refers to it by ${name}.`,
        );
      const others = idsIn(valueIn(row, name)).filter((one) => one !== deleted[1]);
      const changed: object = { [name]: isList ? others : undefined };
      referrer.change(other, changed);
    }
  }
  const [, ...following] = all.values();
  for (const [key, other] of following.toReversed()) db[key]?.remove(other);
}

/** Returns a function that returns what refers to a record. Each table is read once. */
function referencesTo(db: AnyDatabase, referring: RowContext['referring']) {
  const fields = Object.entries(referring).flatMap(([key, all]) =>
    all.map((field) => ({ ...field, key })),
  );
  const referrers = memoized((field: (typeof fields)[number]) => {
    const rows = db[field.key]?.all() ?? [];
    const pairs = rows.flatMap((row) =>
      [...new Set(idsIn(valueIn(row, field.name)))].map((to) => ({ to, id: row.id })),
    );
    return Map.groupBy(pairs, ({ to }) => to);
  });
  return ([table, id]: Deleted) =>
    fields
      .filter((field) => field.table === table)
      .flatMap((field) =>
        (referrers(field).get(id) ?? []).map((pair) => ({ ...field, id: pair.id })),
      );
}
