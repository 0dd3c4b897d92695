import { nameOf } from '../lib/api-path.ts';
import { isObject, type JsonObject } from '../lib/json-value.ts';
import { Problem } from '../lib/problem.ts';
import { hintOf } from '../lib/unknown-keys.ts';
import type { OpenApiDocument, Operation } from './openapi.ts';
import { objectAt } from './openapi-schemas.ts';

/** Responses of a server or of a fault, which any operation can have. */
const general = ['401', '403', '413', '415', '429', '500', '503'];

/** Maximum size of the examples of a content in a slice, in characters of JSON. */
const maxExamples = 1000;

/** What an operation can be named by. */
export interface NamedOperation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly tags: readonly string[];
}

/**
 * Returns the part of a document that some operations need: these, with the components that they refer to. It leaves out links,
 * long examples, and the responses that any operation can have.
 *
 * @param only operations as `POST /api/orders/`, paths, operation ids, and tags as `orders` or `order`
 * @param apiPath the path of the API in the document
 * @throws Problem `missing` for what names no operation
 */
export function sliceOf(
  document: OpenApiDocument,
  only: readonly string[],
  apiPath: string,
): OpenApiDocument {
  const all = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const { operationId, tags } = operation;
      return { method, path, operationId, tags, operation };
    }),
  );
  const chosen = new Set(only.flatMap((word) => operationsNamed(word, all, apiPath)));
  const paths: Record<string, Record<string, Operation>> = {};
  for (const { method, path, operation } of all.filter((one) => chosen.has(one)))
    paths[path] = { ...paths[path], [method]: shortened(operation) };
  const tags = new Set(Array.from(chosen, (one) => one.tags).flat());
  const { openapi, info, servers } = document;
  return {
    openapi,
    info: {
      ...info,
      description: `A part of the document of all operations. Any of them can also have the statuses ${general.join(', ')}.`,
    },
    servers,
    tags: document.tags.filter(({ name }) => tags.has(name)),
    paths,
    components: componentsOf(paths, document),
  };
}

/**
 * Returns the operations that a text names: one by method and path or by its id, several by a path or a tag.
 *
 * @throws Problem `missing` with the tags, and a name that is similar
 */
export function operationsNamed<One extends NamedOperation>(
  word: string,
  all: readonly One[],
  apiPath: string,
): One[] {
  const found = all.filter((one) => isNamed(one, word.trim(), apiPath));
  if (found.length > 0) return found;
  const tags = [...new Set(all.flatMap((one) => one.tags))];
  const names = all.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  throw new Problem(
    'missing',
    `Operation '${word}' not found.${hintOf(word, [...names, ...tags])} Use a method and a path as ${names[0]}, or one of the tags ${tags.join(', ')}.`,
  );
}

function isNamed(one: NamedOperation, word: string, apiPath: string): boolean {
  const { method, path, operationId, tags } = one;
  if (word === operationId || tags.some((tag) => [tag, tag.replace(/s$/, '')].includes(word)))
    return true;
  const [, verb = method, sent = ''] = /^(?:(\w+) +)?(\/\S*)$/.exec(word) ?? [];
  const [own, named] = [path, sent].map((text) => plain(nameOf(apiPath, text)));
  return verb.toLowerCase() === method.toLowerCase() && own === named;
}

/** `/api/orders/:order_id/` and `/api/orders/{id}` name the same path. */
function plain(path: string): string {
  return path.replaceAll(/:\w+|\{\w+\}/g, '{}').replace(/(.)\/$/, '$1');
}

function shortened(operation: Operation): Operation {
  const responses = Object.entries(operation.responses).flatMap(([status, response]) =>
    general.includes(status) && '$ref' in objectAt(response)
      ? []
      : [[status, withoutLength(response)] as const],
  );
  return { ...operation, responses: Object.fromEntries(responses) };
}

function withoutLength(response: unknown): JsonObject {
  if (!isObject(response)) return {};
  const { links: _, ...rest } = response;
  if (!isObject(rest['content'])) return rest;
  const content = Object.entries(rest['content']).map(([type, media]) => {
    const { example, examples, ...schema } = objectAt(media);
    const isLong = JSON.stringify([example, examples]).length > maxExamples;
    return [type, isLong ? schema : media];
  });
  return { ...rest, content: Object.fromEntries(content) };
}

/** Returns the components that operations refer to, and those that these refer to. */
function componentsOf(
  paths: OpenApiDocument['paths'],
  { components }: OpenApiDocument,
): OpenApiDocument['components'] {
  const found = { schemas: {}, responses: {}, headers: {}, securitySchemes: {} };
  const add = (kind: keyof typeof found, name: string): void => {
    const known: Record<string, unknown> = found[kind];
    if (name in known) return;
    known[name] = components[kind][name];
    follow(known[name]);
  };
  const follow = (value: unknown): void => {
    if (!isObject(value)) return;
    const [, kind, name = ''] = refPattern.exec(String(value['$ref'])) ?? [];
    if (kind !== undefined && Object.hasOwn(found, kind)) add(kind as keyof typeof found, name);
    for (const inner of Object.values(value)) follow(inner);
  };
  follow(paths);
  for (const { security } of Object.values(paths).flatMap((one) => Object.values(one)))
    for (const name of Object.values(objectAt(security)).flatMap((one) =>
      Object.keys(objectAt(one)),
    ))
      add('securitySchemes', name);
  return found;
}

const refPattern = /^#\/components\/(\w+)\/(\w+)$/;
