import type { JsonObject } from '../lib/json-value.ts';
import { extensionMark } from './field.ts';
import type { Form } from './form.ts';
import { linksOf } from './openapi-links.ts';
import {
  examplesOf,
  requestExamples,
  withResponseExamples,
  type ExampleAnswers,
  type NamedExample,
} from './openapi-examples.ts';
import { pathParameters, queryParameters } from './openapi-parameters.ts';
import {
  anyOf,
  describedHeaders,
  responsesOf,
  sharedResponses,
  type Guard,
  type Row,
} from './openapi-responses.ts';
import { errorSchemas, objectAt, Schemas, type SchemaNames } from './openapi-schemas.ts';
import { describeFields, operationText } from './openapi-texts.ts';
import { operationIdOf } from './operation-id.ts';
import { routesOf, type RouteOf } from './router.ts';

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

/** The parts of a document besides the endpoints. */
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

/** The parts that the operations of one document share. */
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
  const { info, named, guards = [], tags = {} } = parts;
  const { parameters: texts = {}, fields = {}, answers = new Map() } = parts;
  const schemas = new Schemas(named);
  const context = { rows, schemas, guards, texts, fields, answers };
  const routes = routesOf(rows);
  const paths = routes.map((route) => {
    const operations = Array.from(
      route.methods,
      ([method, group]) => [method.toLowerCase(), operation(group, route.path, context)] as const,
    );
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
      securitySchemes: Object.fromEntries(guards.flatMap(({ schemes }) => Object.entries(schemes))),
    },
  };
}

/** Describes the rows of one method and path, which are one operation: body parameters choose a row. */
function operation(rows: readonly Row[], path: string, context: Context): Operation {
  const { schemas, answers } = context;
  const first = rows[0]!;
  const guard = context.guards.find((one) => one.covers(path));
  const examples = examplesOf(rows);
  const body = bodyOf(rows, examples, context);
  const responses = withLinks(responsesOf(rows, guard, schemas), rows, context);
  return {
    operationId: operationIdOf(first),
    summary: rows.length === 1 ? first.summary : 'One of several steps, chosen by body parameters',
    description: operationText(rows),
    ...(rows.every(({ isExtension }) => isExtension) && { [extensionMark]: true }),
    tags: [tagOf(path)],
    parameters: [
      ...pathParameters(path, examples, context.texts, first.uuids),
      ...rows.flatMap(({ query }) =>
        query === undefined ? [] : queryParameters(query, examples, context),
      ),
    ],
    ...(body !== undefined && { requestBody: body }),
    responses: withResponseExamples(responses, examples, answers),
    security: guard === undefined ? [] : securityOf(guard),
  };
}

/** Returns the tag of the operations at a path: the first segment below `/api`. */
export function tagOf(path: string): string {
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
  return { ...responses, [status]: { ...objectAt(responses, status), links } };
}

/** Returns the path as links in responses spell it: a slash after a collection of pages, none after a record. */
function template({ path, methods }: RouteOf<Row>): string {
  const bare = path.replace(/(.)\/$/, '$1');
  const isPaged =
    methods.get('GET')?.some(({ query }) => 'page' in (query?.children ?? {})) === true;
  const spelled = isPaged ? `${bare}/` : /\/:\w+$/.test(bare) ? bare : path;
  return spelled.replaceAll(/:(\w+)/g, '{$1}');
}

/** Describes the body of an operation. Its schema is named, because each content type refers to it. */
function bodyOf(
  rows: readonly Row[],
  examples: readonly NamedExample[],
  { schemas, fields }: Context,
): JsonObject | undefined {
  if (rows.every(({ body }) => body === undefined)) return undefined;
  const { path } = rows[0]!;
  const id = operationIdOf(rows[0]!);
  // Most fields of JSON bodies have descriptions. The others are those of the store API, of which several operations set up
  // records.
  const schemaOf = ({ schema, isJson }: Form<unknown>): JsonObject =>
    describeFields(schemas.input(schema), fields, isJson === true ? id : tagOf(path));
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
