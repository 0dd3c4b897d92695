import { formatValue } from '../format.ts';
import {
  operationHeads,
  type OpenApi,
  type OpenApiParameter,
  type OpenApiResponse,
  type Schema,
} from '../openapi.ts';

export type Operation = NonNullable<ReturnType<typeof operationOf>>;
/** A parameter of the path or the query. Its value in the example of the operation is empty if it has none. */
export type Parameter = ReturnType<typeof parameterOf>;
export type BodyExample = Operation['bodies'][number];
export type DocumentedResponse = ReturnType<typeof documentedResponse>;
/** The fields of a body, or of one of the forms that it can have. */
export type FieldGroup = ReturnType<typeof groupsOf>[number];

/** One field of a body: `shippingAddress.city`. */
interface Field {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

/** Returns an operation by its id, with everything that its view shows. */
export function operationOf(document: OpenApi, id: string) {
  const head = operationHeads(document).find((one) => one.id === id);
  const found = head && document.paths[head.path]?.[head.method.toLowerCase()];
  if (head === undefined || found === undefined) return undefined;
  const { description = '', parameters, requestBody, responses } = found;
  const { examples = {}, schema } = requestBody?.content['application/json'] ?? {};
  return {
    ...head,
    description,
    parameters: parameters.map((one) => parameterOf(document, one)),
    /** Empty without a body. */
    bodies: Object.values(examples).map(({ summary = '', value }) => ({
      title: summary,
      text: pretty(value),
    })),
    body: groupsOf(document, schema),
    responses: Object.entries(responses).map(([status, one]) =>
      documentedResponse(document, status, one),
    ),
  };
}

function parameterOf(
  document: OpenApi,
  { name, in: place, required = false, description = '', schema, examples }: OpenApiParameter,
) {
  const { enum: values = [], type } = resolve(document, schema);
  const example = exampleIn(examples);
  return {
    name,
    in: place,
    isRequired: required,
    description,
    type: typeOf(document, schema),
    values: (type === 'boolean' ? [true, false] : values).map(String),
    example: example === undefined ? '' : formatValue(example),
  };
}

function documentedResponse(document: OpenApi, status: string, response: OpenApiResponse) {
  const { description = '', content = {} } =
    document.components.responses[nameOf(response.$ref)] ?? response;
  const [{ examples, schema } = {}] = Object.values(content);
  const value = exampleIn(examples);
  return {
    status,
    description,
    example: value === undefined ? undefined : pretty(value),
    body: groupsOf(document, schema),
  };
}

function exampleIn(examples: OpenApiParameter['examples'] = {}): unknown {
  return Object.values(examples)[0]?.value;
}

/** Lists the fields of each form of a body; nested ones down to three levels. */
function groupsOf(document: OpenApi, schema: Schema | undefined) {
  if (schema === undefined) return [];
  const whole = resolve(document, schema);
  const forms = (whole.anyOf ?? whole.oneOf)?.map((one) => resolve(document, one)) ?? [whole];
  return forms.map((one) => ({ title: one.title ?? '', fields: fieldsOf(document, one) }));
}

const maxDepth = 3;

function fieldsOf(document: OpenApi, schema: Schema, prefix = '', depth = 1): Field[] {
  const { properties = {}, required = [], items } = resolve(document, schema);
  if (items !== undefined) return fieldsOf(document, items, `${prefix}[].`, depth);
  return Object.entries(properties).flatMap(([key, property]) => {
    const name = `${prefix}${key}`;
    const { properties: inner, items: item = {}, description } = resolve(document, property);
    const field = {
      name,
      type: typeOf(document, property),
      isRequired: required.includes(key),
      description: description ?? property.description ?? '',
    };
    if (depth >= maxDepth || key === '_links') return [field];
    return inner === undefined
      ? [field, ...fieldsOf(document, item, `${name}[].`, depth + 1)]
      : [field, ...fieldsOf(document, property, `${name}.`, depth + 1)];
  });
}

/** Names the type of a value with its limits: `integer ≥ 1`, `'asc' or 'desc'`, `list of integer`. */
function typeOf(document: OpenApi, schema: Schema): string {
  const whole = resolve(document, schema);
  const { type, enum: values, const: only, items, anyOf, oneOf, format, minimum, maximum } = whole;
  if (only !== undefined) return JSON.stringify(only);
  if (values !== undefined) return values.map(String).join(' | ');
  const forms = anyOf ?? oneOf;
  if (forms !== undefined)
    return [...new Set(forms.map((one) => typeOf(document, one)))].join(' or ');
  if (items !== undefined) return `list of ${typeOf(document, items)}`;
  return [
    [type ?? 'any value'].flat().join(' or '),
    format ?? [],
    minimum === undefined || minimum < -1e15 ? [] : `≥ ${minimum}`,
    maximum === undefined || maximum > 1e15 ? [] : `≤ ${maximum}`,
  ]
    .flat()
    .join(' ');
}

function resolve({ components }: OpenApi, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (components.schemas[nameOf(schema.$ref)] ?? {});
}

function nameOf(reference = ''): string {
  return reference.split('/').at(-1) ?? '';
}

function pretty(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
