import { nameOf } from '../lib/api-path.ts';
import { snakeCase } from '../lib/names.ts';
import { isObject, mapValues, type JsonObject } from '../lib/json-value.ts';
import { Problem } from '../lib/problem.ts';
import { hintOf } from '../lib/unknown-keys.ts';
import type { OpenApiDocument, Operation } from './openapi.ts';
import { objectAt } from './openapi-schemas.ts';

/** Responses of a server or of a fault, which any operation can have. */
const general = ['401', '403', '413', '415', '429', '500', '503'];

/** Maximum size of the examples of a content in a slice, in characters of JSON. */
const maxExamples = 500;

/** What an operation can be named by. */
export interface NamedOperation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  /** Tells operations with the same method and path apart: `purchase`. */
  readonly step?: string | undefined;
}

/**
 * Returns the part of a document that some operations need: these, with the components that they refer to. It leaves out links,
 * long examples, optional credentials, the responses that any operation can have, the bodies of shared errors, and constraints
 * of responses.
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
    paths[path] = { ...paths[path], [method]: shortened(operation, document) };
  const tags = new Set(Array.from(chosen, (one) => one.tags).flat());
  const { openapi, info, servers } = document;
  return {
    openapi,
    info: {
      ...info,
      description: `A part of the document of all operations. Any of them can also have the statuses ${general.join(', ')}. An error without a schema is \`{ code, message }\`, and has \`errors\` if parameters are invalid. Schemas of responses leave out which properties are always there, and operations leave out optional credentials.`,
    },
    servers,
    tags: document.tags.filter(({ name }) => tags.has(name)),
    paths,
    components: componentsOf(paths, document),
  };
}

/**
 * Returns the operations that a text names: one by its id, its step or by method, path and step
 * (`PUT /api/checkouts/:order_id (purchase)`), several by a path or a tag.
 *
 * @throws Problem `missing` with the tags, and names that are similar or have the text in their path
 */
export function operationsNamed<One extends NamedOperation>(
  word: string,
  all: readonly One[],
  apiPath: string,
): One[] {
  const found = all.filter((one) => isNamed(one, word.trim(), apiPath));
  if (found.length > 0) return found;
  const tags = [...new Set(all.flatMap((one) => one.tags))];
  const known = [
    ...tags,
    ...all.flatMap(({ operationId, step = [] }) => [operationId, step].flat()),
  ];
  const names = all.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  const isPart = /^[\w-]{3,40}$/.test(word.trim());
  const within = isPart ? names.filter((name) => name.includes(word.trim())).slice(0, 3) : [];
  const hint =
    within.length > 0
      ? ` Did you mean ${within.join(', or ')}?`
      : hintOf(word, [...names, ...known]);
  throw new Problem(
    'missing',
    `Operation '${word}' not found.${hint} Use a method and a path as ${names[0]}, or one of the tags ${tags.join(', ')}.`,
  );
}

function isNamed(one: NamedOperation, word: string, apiPath: string): boolean {
  const { method, path, operationId, tags, step } = one;
  // A resource of a definition is known by its key, too: `returnRequests`.
  const tagged = snakeCase(word).replaceAll('_', '-');
  const isTagged = tags.some((tag) => [tag, tag.replace(/s$/, '')].includes(tagged));
  if (word === operationId || word === step || isTagged) return true;
  const [, verb = method, sent = '', stepSent = step] =
    /^(?:(\w+) +)?(\/\S*)(?: +\((\S+)\))?$/.exec(word) ?? [];
  const [own, named] = [path, sent].map((text) => plain(nameOf(apiPath, text)));
  return verb.toLowerCase() === method.toLowerCase() && own === named && stepSent === step;
}

/** `/api/orders/:order_id/` and `/api/orders/{id}` name the same path. */
function plain(path: string): string {
  return path.replaceAll(/:\w+|\{\w+\}/g, '{}').replace(/(.)\/$/, '$1');
}

function shortened(operation: Operation, { components }: OpenApiDocument): Operation {
  const responses = Object.entries(operation.responses).flatMap(([status, response]) => {
    const [, kind = '', name = ''] = refPattern.exec(String(objectAt(response)['$ref'])) ?? [];
    if (kind === '') return [[status, shortResponse(objectAt(response))] as const];
    const { description } = objectAt(components, kind, name);
    return general.includes(status) ? [] : [[status, { description }] as const];
  });
  const security = Array.isArray(operation.security) ? operation.security : [];
  const isOpen = security.some((one) => Object.keys(objectAt(one)).length === 0);
  return {
    ...operation,
    ...(isOpen && { security: [{}] }),
    responses: Object.fromEntries(responses),
  };
}

function shortResponse({ description, headers, content }: JsonObject): JsonObject {
  const { 'X-Backlot-Notice': _, ...own } = objectAt(headers);
  return {
    description,
    ...(Object.keys(own).length > 0 && { headers: own }),
    ...(isObject(content) && { content: mapValues(content, shortMedia) }),
  };
}

function shortMedia(media: unknown): JsonObject {
  const { example, examples, schema } = objectAt(media);
  const isLong = JSON.stringify([example, examples]).length > maxExamples;
  return { ...(isLong ? {} : objectAt(media)), schema: withoutConstraints(schema) };
}

/** Returns a schema that accepts more: properties can be absent, others can be there, and a text has no pattern. */
function withoutConstraints(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutConstraints);
  if (!isObject(schema)) return schema;
  // A property can have one of these names: then the value is a schema.
  const kept = Object.entries(schema).filter(
    ([name, value]) =>
      !(name === 'required' && Array.isArray(value)) &&
      !(name === 'additionalProperties' && value === false) &&
      !(name === 'pattern' && typeof value === 'string'),
  );
  return mapValues(Object.fromEntries(kept), withoutConstraints);
}

/** Returns the components that operations refer to, and those that these refer to. */
function componentsOf(
  paths: OpenApiDocument['paths'],
  { components }: OpenApiDocument,
): OpenApiDocument['components'] {
  const found = { schemas: {}, responses: {}, headers: {}, securitySchemes: {} };
  const add = (kind: keyof typeof found, name: string, change: Change): void => {
    const known: Record<string, unknown> = found[kind];
    if (name in known) return;
    known[name] = change(components[kind][name]);
    follow(known[name], change);
  };
  const follow = (value: unknown, change: Change): void => {
    if (!isObject(value)) return;
    const [, kind, name = ''] = refPattern.exec(String(value['$ref'])) ?? [];
    if (kind !== undefined && Object.hasOwn(found, kind))
      add(kind as keyof typeof found, name, change);
    for (const inner of Object.values(value)) follow(inner, change);
  };
  const operations = Object.values(paths).flatMap((one) => Object.values(one));
  // What a request has to be comes first, because a response can refer to the same schema.
  for (const { responses: _, ...sent } of operations) follow(sent, (value) => value);
  for (const { responses } of operations) follow(responses, withoutConstraints);
  for (const { security } of operations)
    for (const name of Object.values(objectAt(security)).flatMap((one) =>
      Object.keys(objectAt(one)),
    ))
      add('securitySchemes', name, (value) => value);
  return found;
}

type Change = (component: unknown) => unknown;

const refPattern = /^#\/components\/(\w+)\/(\w+)$/;
