import { mapValues, type JsonObject } from '../lib/json-value.ts';
import { parseBrackets } from './body.ts';
import { operationIdOf } from './operation-id.ts';
import { objectAt } from './openapi-schemas.ts';
import type { Row } from './openapi-responses.ts';
import { parseTarget } from './serve.ts';

/** The body of the response to the example of a row; undefined if it has none. */
export type ExampleAnswers = ReadonlyMap<Row, unknown>;

/** One example of an operation: a request and its response, which have the same name in the document. */
export interface NamedExample {
  readonly name: string;
  readonly row: Row;
  readonly query: JsonObject;
  readonly path: Readonly<Record<string, string>>;
}

/** Returns the examples of an operation, one for each row. */
export function examplesOf(rows: readonly Row[]): readonly NamedExample[] {
  return rows.map((row) => {
    const { path, query } = parseTarget(row.example.url);
    return {
      name: rows.length > 1 ? (row.step ?? row.summary) : operationIdOf(row),
      row,
      query: parseBrackets(query),
      path: pathValues(row.path, path),
    };
  });
}

/** Returns the values of path parameters in a URL. */
function pathValues(template: string, url: string): Record<string, string> {
  const sent = url.split('/');
  const parts = template.split('/').entries();
  return Object.fromEntries(
    [...parts]
      .filter(([, part]) => part.startsWith(':'))
      .map(([at, part]) => [part.slice(1), decodeURIComponent(sent[at] ?? '')]),
  );
}

/** Returns the bodies of the example requests. A row without a body among others that have one gets an empty body. */
export function requestExamples(examples: readonly NamedExample[]): JsonObject {
  return Object.fromEntries(
    examples.map(({ name, row: { summary, example } }) => [
      name,
      { summary, value: example.body ?? {} },
    ]),
  );
}

/** Adds the example responses to the success response of an operation. */
export function withResponseExamples(
  responses: JsonObject,
  examples: readonly NamedExample[],
  answers: ExampleAnswers,
): JsonObject {
  const { status, textType } = examples[0]!.row;
  const { content, ...response } = objectAt(responses, String(status));
  const values = examples.flatMap(({ name, row }) => {
    const value = answers.get(row);
    return value === undefined ? [] : [[name, { summary: row.summary, value }] as const];
  });
  if (content === undefined || values.length === 0) return responses;
  const shown = mapValues(objectAt(content), (one, type) =>
    type === textType ? one : { ...objectAt(one), examples: Object.fromEntries(values) },
  );
  return { ...responses, [status]: { ...response, content: shown } };
}
