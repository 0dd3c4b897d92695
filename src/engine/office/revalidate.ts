import type { ApiEndpoint, EngineShop } from '../definition/api.ts';
import type { JournalEntry } from '../journal/recorded-exchange.ts';
import { valuesInPath } from '../lib/api-path.ts';
import { valueAt, withValues, type JsonObject } from '../lib/json-value.ts';
import { Problem, type FieldIssue } from '../lib/problem.ts';
import type { Form } from '../rest/form.ts';
import { parseTarget } from '../rest/serve.ts';
import { firstValid, listOrField, schemaAt, valueOf, type Path } from './schema-words.ts';

/** A recorded request that its form and its check have validated again, by the data of now. */
export interface Revalidated {
  readonly form: Form<unknown> | undefined;
  /** Its parameters. A query lacks those that the endpoint ignores. */
  readonly sent: JsonObject;
  /** The issues that the form finds. */
  readonly invalid: readonly FieldIssue[];
  /**
   * The issues that the check finds with examples in the place of what the form refuses, or the Problem that it throws. None
   * if it throws another error, because no client has sent these examples.
   */
  readonly found: readonly FieldIssue[] | Problem;
  /** Returns a value that the schema of a field accepts: that of the example of the endpoint, if it has one. */
  readonly exampleAt: (path: Path) => unknown;
}

export function revalidate(
  shop: EngineShop,
  row: ApiEndpoint,
  { url, request }: JournalEntry,
): Revalidated {
  const isRead = row.method === 'GET';
  const form = isRead ? row.query : row.body;
  const known = Object.entries(request.query).filter(([name]) =>
    Object.hasOwn(form?.children ?? {}, name),
  );
  const sent = isRead ? Object.fromEntries(known) : (request.body ?? {});
  const exampleAt = (path: Path): unknown => {
    const field = schemaAt(form?.schema, path);
    const documented = valueAt(row.example.body, path);
    return field && firstValid(field, [documented, valueOf(field, shop.clock.now())]);
  };
  const invalid = form?.parse(sent, shop.settings.unknownParameters).issues ?? [];
  const examples = invalid
    .map(({ path }) => listOrField(form?.schema, path))
    .filter(({ length }) => length > 0)
    .map((path) => ({ path, value: exampleAt(path) }));
  const valid = withValues(sent, examples);
  const values = form?.parse(valid, 'ignore').values ?? {};
  const [query, body] = isRead ? [values, {}] : [{}, values];
  const target = parseTarget(url);
  const params = valuesInPath(row.path, target.path);
  const checked = (): Revalidated['found'] => {
    try {
      const subject = row.subject?.({ shop, params });
      const call = { shop, params, target, headers: {}, query, body, sent: valid, subject };
      return (row.check?.(call) ?? []).filter((issue) => issue !== undefined);
    } catch (error) {
      return error instanceof Problem ? error : [];
    }
  };
  return { form, sent, invalid, found: checked(), exampleAt };
}
