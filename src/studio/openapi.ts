/** The parts of an OpenAPI document that the studio shows. */
export interface OpenApi {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, OpenApiResponse>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description?: string }>>;
  };
}

export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Example {
  readonly summary?: string;
  readonly value?: unknown;
}

interface Content {
  readonly [type: string]: {
    readonly schema?: Schema;
    readonly examples?: Readonly<Record<string, Example>>;
  };
}

interface OpenApiParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, Example>>;
}

interface OpenApiResponse {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Content;
}

interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters: readonly OpenApiParameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

/** A parameter of the path or the query. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly type: string;
  readonly values: readonly string[];
  /** Its value in the example of the operation; empty if it has none. */
  readonly example: string;
}

/** One field of a body: `shippingAddress.city`. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

/** The fields of a body, or of one of the forms that it can have. */
export interface FieldGroup {
  readonly title: string;
  readonly fields: readonly Field[];
}

export interface BodyExample {
  readonly title: string;
  readonly text: string;
}

export interface DocumentedResponse {
  readonly status: string;
  readonly description: string;
  readonly example?: string;
  readonly body: readonly FieldGroup[];
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With parameters in braces: `/api/orders/{order_id}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  readonly parameters: readonly Parameter[];
  /** Empty without a body. */
  readonly bodies: readonly BodyExample[];
  readonly body: readonly FieldGroup[];
  readonly responses: readonly DocumentedResponse[];
}

/** An operation in a list, without what only its own view shows. */
export type OperationHead = Pick<Operation, 'id' | 'method' | 'path' | 'summary' | 'tag'>;

/** Lists the operations of a document in its order. */
export function operationHeads({ paths }: OpenApi): OperationHead[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary, tags }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      summary,
      tag: tags[0] ?? '',
    })),
  );
}

/** Returns the operations that contain every word of the text. */
export function searchOperations<Head extends OperationHead>(
  operations: readonly Head[],
  typed: string,
): Head[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return operations.filter(({ id, method, path, summary, tag }) => {
    const all = `${id} ${method} ${path} ${path.replaceAll(/[{}]/g, '')} ${summary} ${tag}`;
    const known = all.toLowerCase();
    return words.every((word) => known.includes(word));
  });
}

/** Returns an operation by its id, with everything that its view shows. */
export function operationOf(document: OpenApi, id: string): Operation | undefined {
  const head = operationHeads(document).find((one) => one.id === id);
  const found = head && document.paths[head.path]?.[head.method.toLowerCase()];
  if (head === undefined || found === undefined) return undefined;
  const { description = '', parameters, requestBody, responses } = found;
  const json = requestBody?.content['application/json'];
  const examples = Object.values(json?.examples ?? {});
  return {
    ...head,
    description,
    parameters: parameters.map((one) => parameterOf(document, one)),
    bodies:
      json === undefined
        ? []
        : examples.map(({ summary = '', value }) => ({ title: summary, text: pretty(value) })),
    body: json?.schema === undefined ? [] : groupsOf(document, json.schema),
    responses: Object.entries(responses).map(([status, one]) =>
      documentedResponse(document, status, one),
    ),
  };
}

function parameterOf(document: OpenApi, parameter: OpenApiParameter): Parameter {
  const { name, in: place, required = false, description = '', schema, examples = {} } = parameter;
  return {
    name,
    in: place,
    isRequired: required,
    description,
    ...valuesOf(document, schema),
    example: text(Object.values(examples)[0]?.value),
  };
}

function valuesOf(document: OpenApi, schema: Schema): Pick<Parameter, 'type' | 'values'> {
  const { enum: values = [], type } = resolve(document, schema);
  const all = type === 'boolean' ? [true, false] : values;
  return { type: typeOf(document, schema), values: all.map(String) };
}

function documentedResponse(
  document: OpenApi,
  status: string,
  response: OpenApiResponse,
): DocumentedResponse {
  const named = response.$ref === undefined ? undefined : nameOf(response.$ref);
  const { description = '', content = {} } =
    (named === undefined ? undefined : document.components.responses[named]) ?? response;
  const { examples = {}, schema } = Object.values(content)[0] ?? {};
  const value = Object.values(examples)[0]?.value;
  return {
    status,
    description,
    ...(value !== undefined && { example: pretty(value) }),
    body: schema === undefined ? [] : groupsOf(document, schema),
  };
}

/** Lists the fields of each form of a body; nested ones down to three levels. */
function groupsOf(document: OpenApi, schema: Schema): FieldGroup[] {
  const { anyOf, oneOf, title = '' } = resolve(document, schema);
  const forms = (anyOf ?? oneOf)?.map((one) => resolve(document, one)) ?? [];
  if (forms.length > 0)
    return forms.map((one) => ({ title: one.title ?? '', fields: fieldsOf(document, one) }));
  return [{ title, fields: fieldsOf(document, schema) }];
}

const maxDepth = 3;

function fieldsOf(document: OpenApi, schema: Schema, prefix = '', depth = 1): Field[] {
  const { properties = {}, required = [], items } = resolve(document, schema);
  if (items !== undefined) return fieldsOf(document, items, `${prefix}[].`, depth);
  return Object.entries(properties).flatMap(([key, property]) => {
    const name = `${prefix}${key}`;
    const field = {
      name,
      type: typeOf(document, property),
      isRequired: required.includes(key),
      description: resolve(document, property).description ?? property.description ?? '',
    };
    const { properties: inner, items: item } = resolve(document, property);
    const next = inner === undefined ? (item ?? {}) : property;
    const isList = inner === undefined;
    if (depth >= maxDepth || key === '_links') return [field];
    return [field, ...fieldsOf(document, next, `${name}${isList ? '[]' : ''}.`, depth + 1)];
  });
}

/** Names the type of a value with its limits: `integer ≥ 1`, `'asc' or 'desc'`, `list of integer`. */
export function typeOf(document: OpenApi, schema: Schema): string {
  const whole = resolve(document, schema);
  const { type, enum: values, const: only, items, anyOf, oneOf, format, minimum, maximum } = whole;
  if (only !== undefined) return JSON.stringify(only);
  if (values !== undefined) return values.map(String).join(' | ');
  const forms = anyOf ?? oneOf;
  if (forms !== undefined)
    return [...new Set(forms.map((one) => typeOf(document, one)))].join(' or ');
  if (items !== undefined) return `list of ${typeOf(document, items)}`;
  const name = typeof type === 'object' ? type.join(' or ') : (type ?? 'any value');
  const limits = [
    format,
    minimum === undefined || minimum < -1e15 ? undefined : `≥ ${minimum}`,
    maximum === undefined || maximum > 1e15 ? undefined : `≤ ${maximum}`,
  ];
  return [name, ...limits.filter((one) => one !== undefined)].join(' ');
}

function resolve({ components }: OpenApi, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  return components.schemas[nameOf(schema.$ref)] ?? {};
}

function nameOf(reference: string): string {
  return reference.split('/').at(-1) ?? '';
}

function pretty(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function text(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
