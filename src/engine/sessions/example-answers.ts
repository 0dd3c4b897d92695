import { isControl } from '../lib/api-path.ts';
import type { ApiDefinition, ApiDocuments } from '../definition/api.ts';
import { isObject, mapValues } from '../lib/json-value.ts';
import { answerExample, openForExamples } from '../office/answer-example.ts';
import type { ExampleAnswers } from '../rest/openapi-examples.ts';
import type { Row } from '../rest/openapi-responses.ts';
import { jsonHeaders } from '../rest/errors.ts';
import type { ApiRequest, ApiResponse } from '../rest/message.ts';

type Answer = (request: ApiRequest) => ApiResponse;

/**
 * Runs the example of each endpoint on the default scenario, in one step each, and returns the bodies of the responses.
 * They are the same each time.
 *
 * @param open opens a server in which nothing has happened
 */
export function* answerExamples(
  api: ApiDefinition,
  rows: readonly Row[],
  open: () => Answer,
): Generator<void, ExampleAnswers> {
  const office = openForExamples(api);
  const prepared: ApiDocuments['preparations'] = [
    ['POST', '/_backlot/sessions', { name: 'ada' }],
    ...rows.flatMap(({ operationId, method, example: { url, body } }) =>
      operationId === 'takeSnapshot' ? [[method, url, body] as const] : [],
    ),
    ...(api.control?.parts().documents.preparations ?? []),
    // It comes last, because it fails a request.
    ['POST', '/_backlot/faults', { status: 503, first: 1 }],
  ];
  const answers = new Map<Row, unknown>();
  for (const row of rows) {
    const { url, body } = row.example;
    const answer = isControl(row.path)
      ? answerPrepared(row.status, requestOf(row.method, url, body), { open, prepared })
      : answerExample(office, row, requestOf);
    if (answer.status === row.status) answers.set(row, bodyOf(answer));
    yield;
  }
  return answers;
}

/** Answers in a server with one record of each kind, or in a new one if the example creates that record. */
function answerPrepared(
  status: number,
  request: ApiRequest,
  {
    open,
    prepared,
  }: { readonly open: () => Answer; readonly prepared: ApiDocuments['preparations'] },
): ApiResponse {
  const answer = open();
  for (const [method, url, body] of prepared) answer(requestOf(method, url, body));
  const response = answer(request);
  return response.status === status ? response : open()(request);
}

function requestOf(method: string, url: string, body: object | undefined): ApiRequest {
  return body === undefined
    ? { method, url, headers: {} }
    : { method, url, headers: jsonHeaders, body: JSON.stringify(body) };
}

/** Returns the body as a document shows it: only the beginning of a long one. */
function bodyOf({ body, headers }: ApiResponse): unknown {
  if (body === undefined) return undefined;
  if (headers['content-type'] !== jsonHeaders['content-type']) return `${body.slice(0, 80)}…`;
  const value: unknown = JSON.parse(body);
  if (body.length < maxLength || !isObject(value)) return value;
  if (Array.isArray(value)) return value.slice(0, 2);
  return mapValues(value, (one) =>
    JSON.stringify(one).length < maxLength || Array.isArray(one) ? one : {},
  );
}

/** In characters. */
const maxLength = 20_000;
