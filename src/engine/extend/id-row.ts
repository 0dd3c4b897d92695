import type { ApiContext, ApiEndpoint } from '../definition/api.ts';
import type { AnyCall } from '../rest/endpoint.ts';
import type { Change } from './changed-schema.ts';
import type { ExtendedViews } from './extended-views.ts';
import type { IdMessages, IdText } from './id-messages.ts';
import type { IdPaths } from './id-paths.ts';
import { idForm, insideOf, type ConvertId, type IdTables } from './id-schemas.ts';
import type { UuidsOf } from './record-uuids.ts';

/** The context in which rows with UUIDs are made. */
export interface IdContext {
  readonly tables: IdTables;
  readonly views: ExtendedViews;
  readonly paths: IdPaths;
  readonly messages: IdMessages;
  readonly uuidsOf: UuidsOf;
}

/** An endpoint with UUIDs, and what writes its requests. */
export interface IdRow {
  readonly row: ApiEndpoint;
  /** Converts the ids in a body. */
  readonly body: Change<ConvertId>;
  /** Converts the ids in a query. */
  readonly query: Change<ConvertId>;
}

type Call = Pick<AnyCall<ApiContext>, 'shop' | 'params'>;

/** Returns a row that clients call with UUIDs, and whose code has integers as before. */
export function idRow(row: ApiEndpoint, context: IdContext): IdRow {
  const { tables, views, paths, messages, uuidsOf } = context;
  const body = row.body && idForm(row.body, row.method === 'PATCH', tables);
  const query = row.query && idForm(row.query, false, tables);
  const parameters = paths.parameters(row.path);
  const change = row.answer && views.changeOf(row.answer);
  const translated = translation(parameters, context);
  const inside = (call: AnyCall<ApiContext>): AnyCall<ApiContext> => {
    const each = insideOf(uuidsOf(call.shop));
    return {
      ...translated.named(call),
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
      ...(row.subject && {
        subject: (call) => translated.told(call, () => row.subject?.(translated.named(call))),
      }),
      check: (call) => {
        const issues = translated.told(call, () => row.check?.(inside(call)) ?? []);
        return issues.map((one) => one && messages.issue(one, translated.textOf(call)));
      },
      handle(call) {
        const value = translated.told(call, () => row.handle(inside(call)));
        return change === undefined ? value : change(value, call.shop);
      },
      ...(row.statusFor && { statusFor: (call) => row.statusFor?.(inside(call)) }),
    },
    body: body?.convert ?? same,
    query: query?.convert ?? same,
  };
}

/** @param parameters the parameters of the path that are UUIDs, with their tables */
function translation(parameters: ReadonlyMap<string, string>, { messages, uuidsOf }: IdContext) {
  const textOf =
    ({ shop, params }: Call): IdText =>
    (table, id) => {
      if (id !== 0) return uuidsOf(shop).uuidOf(table, id);
      const [sent = ''] = [...parameters].find(([, one]) => one === table) ?? [];
      return params[sent] ?? '0';
    };
  return {
    /** Returns the text of an id in messages. */
    textOf,
    /** Returns a call with the ids of its path. No record has the id 0. */
    named<One extends Call>(call: One): One {
      const uuids = uuidsOf(call.shop);
      const params = Object.entries(call.params).map(([name, text]) => {
        const table = parameters.get(name);
        return [name, table === undefined ? text : String(uuids.idOf(table, text) ?? 0)] as const;
      });
      return { ...call, params: Object.fromEntries(params) };
    },
    /** Runs code, whose errors name records as clients do. */
    told<Result>(call: Call, run: () => Result): Result {
      try {
        return run();
      } catch (error) {
        throw messages.error(error, textOf(call));
      }
    },
  };
}

function same(value: unknown): unknown {
  return value;
}
