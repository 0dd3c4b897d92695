import type { EndpointRow } from './endpoint.ts';
import { extensionMark } from './field.ts';
import type { Form } from './form.ts';
import { linksOf } from './openapi-links.ts';
import { pathParameters } from './openapi-path.ts';
import {
  examplesOf,
  parameterExamples,
  requestExamples,
  withResponseExamples,
  type ExampleAnswers,
  type NamedExample,
} from './openapi-examples.ts';
import {
  anyOf,
  describedHeaders,
  responsesOf,
  sharedResponses,
  type Guard,
  type Row,
} from './openapi-responses.ts';
import { errorSchemas, Schemas, type JsonObject, type SchemaNames } from './openapi-schemas.ts';
import { describeFields, describeParameter, operationText } from './openapi-texts.ts';
import { operationIdOf } from './operation-id.ts';
import { createApiRouter, type Route } from './router.ts';

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument extends JsonObject {
  readonly openapi: string;
  readonly info: Info;
  /** One server, whose URL is the prefix of every path. */
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: JsonObject;
    readonly responses: JsonObject;
    readonly headers: JsonObject;
    readonly securitySchemes: JsonObject;
  };
}

export interface Info extends JsonObject {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

export interface Operation extends JsonObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly JsonObject[];
  readonly responses: JsonObject;
}

/** What a document says besides the endpoints. */
export interface DocumentParts {
  readonly info: Info;
  /** Schemas with a name, which are listed once under `components`. */
  readonly named: SchemaNames;
  /** The first that covers a path describes its authentication. */
  readonly guards?: readonly Guard[];
  /** Descriptions of tags: of the first segments of paths below `/api`, and of the others. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Descriptions of parameters by name, for those whose schema has none. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Descriptions of the parameters of forms in bodies, as `describeFields` takes them. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The responses to the examples of rows. */
  readonly answers?: ExampleAnswers;
}

/** What the operations of one document share. */
interface Context {
  readonly rows: readonly Row[];
  readonly schemas: Schemas;
  readonly guards: readonly Guard[];
  readonly texts: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
  readonly answers: ExampleAnswers;
}

/** Creates an OpenAPI document from endpoint rows. */
export function openapiOf(rows: readonly Row[], parts: DocumentParts): OpenApiDocument {
  const {
    info,
    named,
    guards = [],
    tags = {},
    parameters = {},
    fields = {},
    answers = new Map(),
  } = parts;
  const schemas = new Schemas(named);
  const context = { rows, schemas, guards, texts: parameters, fields, answers };
  const { routes } = createApiRouter<never>(rows as readonly EndpointRow<never>[]);
  const paths = routes.map((route) => {
    const operations = Array.from(route.methods, ([method, group]) => [
      method.toLowerCase(),
      operation(group, route.path, context),
    ]);
    return [template(route), Object.fromEntries(operations)] as const;
  });
  const responses = sharedResponses(guards, schemas);
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(({ path }) => tagOf(path)))].map((name) => ({
      name,
      description: tags[name] ?? capital(name.replaceAll('-', ' ')),
    })),
    paths: Object.fromEntries(paths),
    components: {
      schemas: { ...schemas.components, ...errorSchemas },
      responses,
      headers: describedHeaders,
      securitySchemes: Object.assign({}, ...guards.map(({ schemes }) => schemes)) as JsonObject,
    },
  };
}

/** Describes the rows of one method and path, which are one operation: body parameters choose a row. */
function operation(rows: readonly Row[], path: string, context: Context): Operation {
  const { schemas, fields, answers } = context;
  const [first] = rows;
  const guard = context.guards.find((one) => one.covers(path));
  const id = first === undefined ? '' : operationIdOf(first);
  const examples = examplesOf(rows);
  const body = bodyOf(rows, { id, examples, schemas, fields, tag: tagOf(path) });
  const responses = withLinks(responsesOf(rows, guard, schemas), rows, context);
  return {
    operationId: id,
    summary:
      rows.length === 1
        ? (first?.summary ?? '')
        : 'One of several steps, chosen by body parameters',
    description: operationText(rows),
    ...(rows.every(({ isExtension }) => isExtension) && { [extensionMark]: true }),
    tags: [tagOf(path)],
    parameters: [
      ...pathParameters(path, examples, context.texts, first?.uuids),
      ...rows.flatMap(({ query }) => queryOf(query, examples, context)),
    ],
    ...(body !== undefined && { requestBody: body }),
    responses: withResponseExamples(responses, examples, answers),
    security: guard === undefined ? [] : securityOf(guard),
  };
}

function tagOf(path: string): string {
  const [, first = '', second = ''] = path.split('/');
  return first === 'api' ? second : first.replace('_backlot', 'control').replace(/^_/, '');
}

function withLinks(
  responses: JsonObject,
  [row, ...others]: readonly Row[],
  { rows, schemas }: Context,
): JsonObject {
  const links = row === undefined || others.length > 0 ? undefined : linksOf(row, rows, schemas);
  if (row === undefined || links === undefined) return responses;
  const status = String(row.status);
  return { ...responses, [status]: { ...(responses[status] as JsonObject), links } };
}

/** Returns the path as links in responses spell it: a slash after a collection of pages, none after a record. */
function template({ path, methods }: Route<never>): string {
  const bare = path.replace(/(.)\/$/, '$1');
  const isPaged =
    methods.get('GET')?.some(({ query }) => 'page' in (query?.children ?? {})) === true;
  const spelled = isPaged ? `${bare}/` : /\/:\w+$/.test(bare) ? bare : path;
  return spelled.replaceAll(/:(\w+)/g, '{$1}');
}

/**
 * Describes query parameters. A nested one is a parameter of its own, `criteria[name]`, because not all tools support the
 * style `deepObject`. Clients send the same either way.
 */
function queryOf(
  form: Form<unknown> | undefined,
  examples: readonly NamedExample[],
  { schemas, texts }: Pick<Context, 'schemas' | 'texts'>,
): JsonObject[] {
  if (form === undefined) return [];
  const { properties = {}, required = [] } = schemas.input(form.schema) as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  return Object.entries(properties).flatMap(([name, converted]) => {
    const { properties: inner, ...described } = describeParameter(name, converted, texts);
    const all =
      inner === undefined
        ? [[[name], described] as const]
        : Object.entries(inner as Record<string, JsonObject>).map(
            ([key, one]) => [[name, key], one] as const,
          );
    return all.map(([path, { description = '', ...schema }]) => ({
      name: bracketed(path),
      in: 'query',
      required: path.length === 1 && required.includes(name),
      description,
      schema,
      ...parameterExamples(examples, 'query', path, schema),
    }));
  });
}

/** `criteria[name]` */
function bracketed([first = '', ...rest]: readonly string[]): string {
  return first + rest.map((name) => `[${name}]`).join('');
}

/** Describes the body of an operation. Its schema is named, because each content type refers to it. */
function bodyOf(
  rows: readonly Row[],
  {
    id,
    examples,
    schemas,
    fields,
    tag,
  }: Pick<Context, 'schemas' | 'fields'> & {
    readonly id: string;
    readonly examples: readonly NamedExample[];
    readonly tag: string;
  },
): JsonObject | undefined {
  if (rows.every(({ body }) => body === undefined)) return undefined;
  // Most fields of JSON bodies have descriptions. The others are those of the store API, of which several operations set up
  // records.
  const schemaOf = ({ schema, isJson }: Form<unknown>): JsonObject =>
    describeFields(schemas.input(schema), fields, isJson === true ? id : tag);
  const bodies = rows.map(({ body, summary }) => ({
    title: summary,
    ...(body === undefined ? { type: 'object', maxProperties: 0 } : schemaOf(body)),
  }));
  const name = `${capital(id)}Body`;
  schemas.components[name] = anyOf(bodies);
  const schema = { $ref: `#/components/schemas/${name}` };
  const isJson = rows.some(({ body }) => body?.isJson === true);
  return {
    description: isJson ? 'JSON parameters' : 'Parameters, in any of three encodings',
    required: rows.every((row) => !acceptsNoBody(row)),
    content: {
      'application/json': { schema, examples: requestExamples(examples) },
      ...Object.fromEntries((isJson ? [] : formTypes).map((type) => [type, { schema }])),
    },
  };
}

const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data'];

function acceptsNoBody({ body }: Row): boolean {
  return body?.schema.safeParse({}).success ?? true;
}

/** Lists the security schemes. The empty requirement makes authentication optional. */
function securityOf({ schemes }: Guard): JsonObject[] {
  return [{}, ...Object.keys(schemes).map((name) => ({ [name]: [] }))];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
