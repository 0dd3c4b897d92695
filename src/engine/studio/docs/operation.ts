import {
  operationHeads,
  type DocumentedResponse,
  type Field,
  type FieldGroup,
  type OpenApi,
  type OpenApiParameter,
  type OpenApiResponse,
  type Operation,
  type Parameter,
  type Schema,
} from '../openapi.ts';

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
function typeOf(document: OpenApi, schema: Schema): string {
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
