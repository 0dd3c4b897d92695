import type { ApiContext, ApiEndpoint } from '../definition/api.ts';
import { unknownRecord } from '../definition/records.ts';
import type { AnyCall } from '../rest/endpoint.ts';
import type { Change } from './changed-schema.ts';
import type { ExtendedViews } from './extended-views.ts';
import type { IdPaths } from './id-paths.ts';
import { idForm, insideOf, type ConvertId, type IdTables } from './id-schemas.ts';
import type { UuidsOf } from './record-uuids.ts';

/** The context in which rows with UUIDs are made. */
export interface IdContext {
  readonly tables: IdTables;
  readonly views: ExtendedViews;
  readonly paths: IdPaths;
  readonly uuidsOf: UuidsOf;
}

/** An endpoint with UUIDs, and what converts the ids in its bodies. */
export interface IdRow {
  readonly row: ApiEndpoint;
  readonly body: Change<ConvertId> | undefined;
}

/** Returns a row that clients call with UUIDs, and whose code has integers as before. */
export function idRow(row: ApiEndpoint, { tables, views, paths, uuidsOf }: IdContext): IdRow {
  const body = row.body && idForm(row.body, row.method === 'PATCH', tables);
  const query = row.query && idForm(row.query, false, tables);
  const parameters = paths.parameters(row.path);
  const change = row.answer && views.changeOf(row.answer);
  /** @throws Problem `missing` with what was sent */
  const named = <Call extends Pick<AnyCall<ApiContext>, 'shop' | 'params'>>(call: Call): Call => {
    const { shop, params } = call;
    const ids = Array.from(parameters, ([name, table]) => {
      const sent = params[name] ?? '';
      const id = uuidsOf(shop).idOf(table, sent);
      const record = id === undefined ? undefined : shop.db[table]?.get(id);
      if (record === undefined) throw unknownRecord(shop.api.tables[table], sent);
      return [name, String(id)] as const;
    });
    return { ...call, params: { ...params, ...Object.fromEntries(ids) } };
  };
  const inside = (call: AnyCall<ApiContext>): AnyCall<ApiContext> => {
    const each = insideOf(uuidsOf(call.shop));
    return {
      ...named(call),
      ...(body && { body: body.convert(call.body, each) }),
      ...(query && { query: query.convert(call.query, each) }),
    };
  };
  return {
    row: {
      ...row,
      answer: row.answer && views.schemaOf(row.answer),
      ...(body && { body: body.form }),
      ...(query && { query: query.form }),
      ...(parameters.size > 0 && { uuids: [...parameters.keys()] }),
      ...(row.subject && { subject: (call) => row.subject?.(named(call)) }),
      check: (call) => row.check?.(inside(call)) ?? [],
      handle(call) {
        const value = row.handle(inside(call));
        return change === undefined ? value : change(value, call.shop);
      },
      ...(row.statusFor && { statusFor: (call) => row.statusFor?.(inside(call)) }),
    },
    body: body?.convert,
  };
}
