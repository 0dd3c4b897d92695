import type * as z from 'zod';
import { documentedStatuses } from './documented-statuses.ts';
import type { EndpointRow } from './endpoint.ts';
import { jsonHeaders, statusOf } from './errors.ts';
import { mapValues, type JsonObject } from '../lib/json-value.ts';
import type { Schemas } from './openapi-schemas.ts';
import { documentTexts } from '../lib/document-texts.ts';

export type Row = Omit<EndpointRow<never>, 'subject' | 'check' | 'handle' | 'statusFor'>;

/** Endpoints for which a server may require authentication. By default, it is optional. */
export interface Guard {
  covers(path: string): boolean;
  /** Security schemes by name. Each of them suffices. */
  readonly schemes: Readonly<Record<string, JsonObject>>;
  /** The response to a request without valid credentials. */
  readonly denied: { readonly description: string; readonly body?: z.ZodType };
}

/** The responses that operations share, by their names in `components`. */
export function sharedResponses(guards: readonly Guard[], schemas: Schemas): JsonObject {
  const denied = guards.map(
    (guard) => [deniedName(guard), deniedResponse(guard, schemas)] as const,
  );
  return { ...mapValues(shared, errorResponse), ...Object.fromEntries(denied) };
}

/** Returns the responses of one operation by status. */
export function responsesOf(
  rows: readonly Row[],
  guard: Guard | undefined,
  schemas: Schemas,
): JsonObject {
  const answers = Map.groupBy(rows, ({ status }) => String(status));
  return {
    ...Object.fromEntries(
      Array.from(answers, ([status, group]) => [status, successResponse(group, schemas)]),
    ),
    ...errorsOf(rows, guard, schemas),
  };
}

function errorsOf(rows: readonly Row[], guard: Guard | undefined, schemas: Schemas): JsonObject {
  const ownBody = rows.find(({ errorBody }) => errorBody !== undefined)?.errorBody;
  const responses = Array.from(
    documentedStatuses(rows, { isGuarded: guard !== undefined }),
    ([status, kinds]): [number, JsonObject] => {
      if (kinds.includes('declined')) return [status, declinedResponse(rows, schemas)];
      if (kinds.includes('denied') && guard !== undefined)
        return [status, responseRef(deniedName(guard))];
      const unavailable = rows.find((row) => row.unavailable !== undefined);
      if (status === 503 && unavailable !== undefined)
        return [status, unavailableResponse(unavailable, schemas)];
      if (ownBody !== undefined && ownStatuses.has(status))
        return [status, ownResponse(status, schemas.output(ownBody.schema))];
      if (status !== statusOf.invalid) return [status, responseRef(nameOf(status))];
      return [status, responseRef(kinds.includes('invalid') ? 'InvalidRequest' : 'BadRequest')];
    },
  );
  return Object.fromEntries(responses.filter(([status]) => status >= 400));
}

/** Returns the name of the response that operations share for a status other than 400 and 401, which have several. */
function nameOf(status: number): string {
  return Object.keys(shared).find((name) => shared[name]?.example.code === status) ?? '';
}

const error = { $ref: '#/components/schemas/Error' };
const validationError = { $ref: '#/components/schemas/ValidationError' };

interface Shared {
  readonly description: string;
  readonly schema?: JsonObject;
  readonly headers?: JsonObject;
  readonly example: { readonly code: number } & JsonObject;
  /** Whether a browser that opens a page gets one. */
  readonly hasPage?: boolean;
}

const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };
const notValidated = {
  code: 400,
  message: 'Validation Failed',
  errors: { children: { quantity: { errors: ['Quantity must be at least 1.'] } } },
};

const shared: Readonly<Record<string, Shared>> = {
  BadRequest: {
    description: 'The request cannot be parsed, or the state of the shop does not allow it',
    example: {
      code: 400,
      message: 'Parameters cannot be read: there are 1,001, at most 1,000 are accepted',
    },
  },
  InvalidRequest: {
    description:
      'The request cannot be parsed, the state of the shop does not allow it, or some parameters are invalid',
    schema: { oneOf: [error, validationError] },
    example: notValidated,
  },
  Forbidden: {
    description: 'The server does not allow the request from this page or host, or not at all',
    example: { code: 403, message: 'The control API of this server is off.' },
  },
  NotFound: {
    description: 'A record that the path or the body names does not exist',
    example: {
      code: 404,
      message: 'Requested order does not exist with these criteria: {"id":"9999"}.',
    },
  },
  MethodNotAllowed: {
    description: 'The state of the record does not allow the method',
    example: { code: 405, message: 'Method Not Allowed' },
  },
  Conflict: {
    description: 'The name is in use, or the file does not fit the server',
    example: { code: 409, message: 'Session ada is open already.' },
  },
  ContentTooLarge: {
    description: 'The body is larger than the server accepts',
    example: { code: 413, message: 'The body is larger than 1048576 bytes.' },
  },
  UnsupportedMediaType: {
    description: 'The body has no content type, or one that the operation does not accept',
    example: {
      code: 415,
      message:
        'The content type text/plain is not supported; send application/json, application/x-www-form-urlencoded or multipart/form-data.',
    },
  },
  TooManyRequests: {
    description: 'A limit of the server is reached: of requests, sessions, records or memory',
    headers: retryAfter,
    hasPage: true,
    example: { code: 429, message: 'Limit of delayed responses (10000) reached. Retry in 1 s.' },
  },
  InternalServerError: {
    description: 'A fault was injected, or the server has a defect',
    example: { code: 500, message: 'Internal Server Error' },
  },
  ServiceUnavailable: {
    description:
      'A fault was injected. A fault can also have another status, headers and a body of its own.',
    headers: retryAfter,
    example: { code: 503, message: 'Service Unavailable' },
  },
};

function errorResponse(shape: Shared): JsonObject {
  const { description, schema = error, headers, example, hasPage = false } = shape;
  return {
    description,
    ...(headers !== undefined && { headers }),
    content: {
      [jsonHeaders['content-type']]: { schema, example },
      ...(hasPage && { 'text/html; charset=utf-8': { schema: { type: 'string' } } }),
    },
  };
}

function responseRef(name: string): JsonObject {
  return { $ref: `#/components/responses/${name}` };
}

/** `DeniedByOauth2OrBearer` */
function deniedName({ schemes }: Guard): string {
  const names = Object.keys(schemes).map((name) => name.charAt(0).toUpperCase() + name.slice(1));
  return `DeniedBy${names.join('Or')}`;
}

function deniedResponse({ denied: { description, body } }: Guard, schemas: Schemas): JsonObject {
  return {
    description,
    headers: { 'WWW-Authenticate': { $ref: '#/components/headers/WwwAuthenticate' } },
    ...jsonContent([body === undefined ? error : schemas.output(body)]),
  };
}

function declinedResponse(rows: readonly Row[], schemas: Schemas): JsonObject {
  return {
    ...successResponse(rows, schemas),
    description: documentTexts.declined,
  };
}

function unavailableResponse({ unavailable = '', answer }: Row, schemas: Schemas): JsonObject {
  const shapes = [...(answer === undefined ? [] : [schemas.output(answer)]), error];
  return { description: unavailable, ...jsonContent(shapes) };
}

/** The statuses whose errors have the body of another standard, if an endpoint has one. */
const ownStatuses: ReadonlySet<number> = new Set([
  statusOf.invalid,
  statusOf['too large'],
  statusOf.unsupported,
]);

function ownResponse(status: number, schema: JsonObject): JsonObject {
  const description =
    status === statusOf.invalid
      ? 'The request cannot be parsed, was refused, or has invalid parameters'
      : (shared[nameOf(status)]?.description ?? '');
  // A request without the session that a server requires never reaches the endpoint.
  return {
    description,
    content: { [jsonHeaders['content-type']]: { schema: { oneOf: [schema, error] } } },
  };
}

function successResponse(rows: readonly Row[], schemas: Schemas): JsonObject {
  const answers = new Set(rows.flatMap(({ answer }) => (answer === undefined ? [] : [answer])));
  const description = rows.length === 1 ? (rows[0]?.summary ?? '') : 'The step was submitted';
  const headers = headersOf(rows);
  if (answers.size === 0) return { description, headers };
  const type = rows[0]?.headers?.['content-type'] ?? jsonHeaders['content-type'];
  const shapes = Array.from(answers, (answer) => schemas.output(answer));
  const { textType } = rows[0] ?? {};
  const text = textType === undefined ? {} : { [textType]: { schema: { type: 'string' } } };
  return { description, headers, content: { [type]: { schema: anyOf(shapes) }, ...text } };
}

function headersOf(rows: readonly Row[]): JsonObject {
  const hasLocation = rows.some(({ location }) => location !== undefined);
  return {
    ...(hasLocation && { Location: { $ref: '#/components/headers/Location' } }),
    'X-Backlot-Notice': { $ref: '#/components/headers/Notice' },
  };
}

export const describedHeaders = {
  Location: {
    description: 'URL of the created record',
    schema: { type: 'string', format: 'uri-reference' },
  },
  Notice: {
    description:
      'Names the unknown query parameters, which were ignored, or reports that a session was reset',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Seconds to wait before the next request',
    schema: { type: 'string' },
  },
  WwwAuthenticate: {
    description: 'The scheme of the missing credentials, and why those sent were rejected',
    schema: { type: 'string' },
  },
};

function jsonContent(shapes: readonly JsonObject[]): JsonObject {
  return { content: { [jsonHeaders['content-type']]: { schema: anyOf(shapes) } } };
}

/** Returns a schema that any of the given ones matches. */
export function anyOf(schemas: readonly JsonObject[]): JsonObject {
  const [only = {}] = schemas;
  return schemas.length === 1 ? only : { anyOf: schemas };
}
