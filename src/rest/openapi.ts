import type * as z from 'zod';
import type { ProblemKind } from '../lib/problem.ts';
import type { EndpointRow } from './endpoint.ts';
import { jsonHeaders, statusOf } from './errors.ts';
import type { Form } from './form.ts';
import { errorSchemas, Schemas, type JsonObject, type SchemaNames } from './openapi-schemas.ts';
import { operationIdOf } from './operation-id.ts';
import { createApiRouter } from './router.ts';

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument extends JsonObject {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  /** One server, whose URL is the prefix of every path. */
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: JsonObject;
}

export interface Operation extends JsonObject {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: readonly JsonObject[];
  readonly responses: JsonObject;
}

/** Endpoints for which a server may require authentication. By default, it is optional. */
export interface Guard {
  covers(path: string): boolean;
  /** Security schemes by name. Each of them suffices. */
  readonly schemes: Readonly<Record<string, JsonObject>>;
  /** The response to a request without valid credentials. */
  readonly denied: { readonly description: string; readonly body?: z.ZodType };
}

type Row = Omit<EndpointRow<never>, 'subject' | 'check' | 'handle' | 'statusFor'>;

/**
 * Creates an OpenAPI document from endpoint rows.
 *
 * @param named schemas with a name, which are listed once under `components`
 * @param guards the first that covers a path describes its authentication
 */
export function openapiOf(
  rows: readonly Row[],
  info: OpenApiDocument['info'],
  named: SchemaNames,
  guards: readonly Guard[] = [],
): OpenApiDocument {
  const schemas = new Schemas(named);
  const { routes } = createApiRouter<never>(rows as readonly EndpointRow<never>[]);
  const paths = routes.map((route) => {
    const guard = guards.find((one) => one.covers(route.path));
    const operations = Array.from(route.methods, ([method, group]) => [
      method.toLowerCase(),
      operation(group, route.path, guard, schemas),
    ]);
    return [template(route.path), Object.fromEntries(operations)] as const;
  });
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    paths: Object.fromEntries(paths),
    components: {
      schemas: { ...schemas.components, ...errorSchemas },
      headers: describedHeaders,
      securitySchemes: Object.assign({}, ...guards.map(({ schemes }) => schemes)) as JsonObject,
    },
  };
}

/** Describes the rows of one method and path, which are one operation: body parameters choose a row. */
function operation(
  rows: readonly Row[],
  path: string,
  guard: Guard | undefined,
  schemas: Schemas,
): Operation {
  const [first] = rows;
  const id = first === undefined ? '' : operationIdOf(first);
  const body = bodyOf(rows, id, schemas);
  return {
    operationId: id,
    summary:
      rows.length === 1
        ? (first?.summary ?? '')
        : 'One of several steps, chosen by body parameters',
    ...described(rows),
    tags: [path.split('/')[1] === 'api' ? (path.split('/')[2] ?? '') : (path.split('/')[1] ?? '')],
    parameters: [...pathParameters(path), ...rows.flatMap(({ query }) => queryOf(query, schemas))],
    ...(body !== undefined && { requestBody: body }),
    responses: {
      ...responsesOf(rows, schemas),
      ...(guard !== undefined && { [statusOf.denied]: deniedResponse(guard, schemas) }),
    },
    ...(guard !== undefined && { security: securityOf(guard) }),
  };
}

function described(rows: readonly Row[]): { readonly description?: string } {
  if (rows.length > 1) {
    const lines = rows.map(({ summary, chosenBy }) => `- ${summary}${chosen(chosenBy)}`);
    return { description: lines.join('\n') };
  }
  return rows[0]?.isExtra === true ? { description: extra } : {};
}

const extra = 'A read-only extra that the specification lacks; links lead to it.';

function chosen(names: readonly string[] | undefined): string {
  return names === undefined ? '' : ` (chosen by ${names.map((name) => `\`${name}\``).join(', ')})`;
}

function template(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

function pathParameters(path: string): JsonObject[] {
  return Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: /(^|_)id$/.test(name) ? { type: 'integer', minimum: 1 } : { type: 'string' },
  }));
}

/** Describes query parameters. Nested ones have brackets: `criteria[name]=ada`. */
function queryOf(form: Form<unknown> | undefined, schemas: Schemas): JsonObject[] {
  if (form === undefined) return [];
  const { properties = {}, required = [] } = schemas.input(form.schema) as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  const known = Object.entries(properties).filter(([, schema]) => !hasNoProperties(schema));
  return known.map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(schema['type'] === 'object' && { style: 'deepObject', explode: true }),
    schema,
  }));
}

function hasNoProperties({ type, properties = {} }: JsonObject): boolean {
  return type === 'object' && Object.keys(properties as JsonObject).length === 0;
}

/** Describes the body of an operation. Its schema is named, because each content type refers to it. */
function bodyOf(rows: readonly Row[], id: string, schemas: Schemas): JsonObject | undefined {
  const withBody = rows.flatMap(({ body, example, summary }) =>
    body === undefined ? [] : [{ body, example, summary }],
  );
  if (withBody.length === 0) return undefined;
  const bodies = withBody.map(({ body, summary }) => ({
    title: summary,
    ...schemas.input(body.schema),
  }));
  const examples = withBody.flatMap(({ example, summary }) =>
    example.body === undefined ? [] : [[summary, { value: example.body as JsonObject }] as const],
  );
  const name = `${capital(id)}Body`;
  schemas.components[name] = oneOf(bodies);
  const schema = { $ref: `#/components/schemas/${name}` };
  const isJson = withBody.some(({ body }) => body.isJson === true);
  return {
    required: withBody.length === rows.length && rows.every((row) => !acceptsNoBody(row)),
    content: {
      'application/json': { schema, examples: Object.fromEntries(examples) },
      ...Object.fromEntries((isJson ? [] : formTypes).map((type) => [type, { schema }])),
    },
  };
}

const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data'];

function acceptsNoBody({ body }: Row): boolean {
  return body?.schema.safeParse({}).success ?? true;
}

function responsesOf(rows: readonly Row[], schemas: Schemas): JsonObject {
  const answers = Map.groupBy(rows, ({ status }) => String(status));
  const errorKinds = new Set(rows.flatMap((row) => [...row.errors]));
  const errors = Map.groupBy(errorKinds, (kind) => String(statusOf[kind]));
  const refused = rows.find(({ errorBody }) => errorBody !== undefined)?.errorBody;
  return {
    ...Object.fromEntries(
      Array.from(answers, ([status, group]) => [status, successResponse(group, schemas)]),
    ),
    ...Object.fromEntries(
      Array.from(errors, ([status, kinds]) => [status, errorResponse(kinds, refused, schemas)]),
    ),
  };
}

/** Lists the security schemes. The empty requirement makes authentication optional. */
function securityOf({ schemes }: Guard): JsonObject[] {
  return [{}, ...Object.keys(schemes).map((name) => ({ [name]: [] }))];
}

function deniedResponse({ denied }: Guard, schemas: Schemas): JsonObject {
  const { description, body } = denied;
  return { description, ...jsonContent([body === undefined ? errorSchema : schemas.output(body)]) };
}

function successResponse(rows: readonly Row[], schemas: Schemas): JsonObject {
  const answers = new Set(rows.flatMap(({ answer }) => (answer === undefined ? [] : [answer])));
  const description = rows.length === 1 ? (rows[0]?.summary ?? '') : 'The step was submitted';
  const headers = headersOf(rows);
  if (answers.size === 0) return { description, headers };
  const type = rows[0]?.headers?.['content-type'] ?? jsonHeaders['content-type'];
  const shapes = Array.from(answers, (answer) => schemas.output(answer));
  return { description, headers, content: { [type]: { schema: oneOf(shapes) } } };
}

function headersOf(rows: readonly Row[]): JsonObject {
  const hasLocation = rows.some(({ location }) => location !== undefined);
  return {
    ...(hasLocation && { Location: headerRef('Location') }),
    'X-Backlot-Notice': headerRef('Notice'),
  };
}

function headerRef(name: keyof typeof describedHeaders): JsonObject {
  return { $ref: `#/components/headers/${name}` };
}

const describedHeaders = {
  Location: { description: 'URL of the created record', schema: { type: 'string' } },
  Notice: {
    description:
      'Names the unknown query parameters, which were ignored, or reports that a session was reset',
    schema: { type: 'string' },
  },
};

function errorResponse(
  kinds: readonly ProblemKind[],
  refused: z.ZodType | undefined,
  schemas: Schemas,
): JsonObject {
  const names = new Set(
    kinds.map((kind) => (kind === 'invalid' || kind === 'refused' ? kind : 'other')),
  );
  const shapes = new Set(
    Array.from(names, (kind) => {
      if (kind === 'invalid') return validationErrorSchema;
      return kind === 'refused' && refused !== undefined ? schemas.output(refused) : errorSchema;
    }),
  );
  return { description: capital(kinds.join(', or ')), ...jsonContent([...shapes]) };
}

function jsonContent(shapes: readonly JsonObject[]): JsonObject {
  return { content: { [jsonHeaders['content-type']]: { schema: oneOf(shapes) } } };
}

const errorSchema = { $ref: '#/components/schemas/Error' };
const validationErrorSchema = { $ref: '#/components/schemas/ValidationError' };

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function oneOf(schemas: readonly JsonObject[]): JsonObject {
  const [only = {}] = schemas;
  return schemas.length === 1 ? only : { anyOf: schemas };
}
