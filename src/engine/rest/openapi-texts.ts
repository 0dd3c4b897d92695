import type { JsonObject } from './openapi-schemas.ts';
import type { Row } from './openapi-responses.ts';

/** Returns the description of an operation: what follows from its rows. */
export function operationText(rows: readonly Row[]): string {
  const [first] = rows;
  if (first === undefined) return '';
  if (rows.length > 1) {
    return rows.map(({ summary, chosenBy }) => `- ${summary}${chosen(chosenBy)}`).join('\n');
  }
  return [`${first.summary}.`, ...sentencesOf(first)].join(' ');
}

function chosen(names: readonly string[] | undefined): string {
  return names === undefined ? '' : ` (chosen by ${names.map((name) => `\`${name}\``).join(', ')})`;
}

function sentencesOf({ isExtra, query, body, method, location, errors, status }: Row): string[] {
  const isPage = query?.children !== undefined && 'page' in query.children;
  const sentences = [
    isPage && 'The response is one page, with links to the other pages.',
    isPage && sortable(query?.children['sorting']),
    location !== undefined && 'The header `Location` has the URL of the new record.',
    method === 'PATCH' && 'Parameters that are not sent leave their fields unchanged.',
    body?.isJson === true && 'The body is JSON, whose values are not converted.',
    status === 204 && 'The response has no body.',
    errors.includes('missing') && 'Responds with 404 if the record does not exist.',
    errors.includes('refused') && 'Responds with 400 if the state of the shop does not allow it.',
    isExtra === true && 'A read-only extra that the specification lacks.',
  ];
  return sentences.filter((one): one is string => one !== false && one !== '');
}

function sortable(fields: object = {}): string {
  const names = Object.keys(fields).map((name) => `\`${name}\``);
  return names.length === 0 ? '' : `Sorting accepts ${names.join(', ')}, also in camelCase.`;
}

/** Returns the description of a path parameter: `Id of the order`. */
export function pathParameterText(path: string, name: string): string {
  const segments = path.split('/');
  const before = segments[segments.indexOf(`:${name}`) - 1] ?? '';
  const isId = name === 'id';
  const noun =
    isId || name === 'name'
      ? before.startsWith(':')
        ? 'record'
        : before.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', ' ')
      : name.replace(/_id$/, '').replaceAll('_', ' ');
  return `${name === 'name' ? 'Name' : 'Id'} of the ${noun}`;
}

/** Returns a schema of a query parameter with descriptions, also of the parameters in it. */
export function describeParameter(
  name: string,
  schema: JsonObject,
  texts: Readonly<Record<string, string>>,
): JsonObject {
  const { properties } = schema as { readonly properties?: Record<string, JsonObject> };
  const description = schema['description'] ?? texts[name] ?? '';
  if (properties === undefined) return { ...schema, description };
  const described = Object.entries(properties).map(([inner, one]) => [
    inner,
    name === 'sorting'
      ? { ...one, description: `Direction of \`${inner}\`` }
      : describeParameter(inner, one, texts),
  ]);
  return { ...schema, description, properties: Object.fromEntries(described) as JsonObject };
}

/**
 * Returns the schema of a body with descriptions of its parameters, also of those in blocks and in maps of blocks.
 *
 * @param texts descriptions by name; `block.name` takes precedence
 * @param owner name of the block, or the tag of the operation, or its id if the body is JSON
 */
export function describeFields(
  schema: JsonObject,
  texts: Readonly<Record<string, string>>,
  owner: string,
): JsonObject {
  const { properties, additionalProperties: entry } = schema as {
    readonly properties?: Readonly<Record<string, JsonObject>>;
    readonly additionalProperties?: JsonObject | boolean;
  };
  if (typeof entry === 'object')
    return { ...schema, additionalProperties: describeFields(entry, texts, owner) };
  if (properties === undefined) return schema;
  const described = Object.entries(properties).map(([name, field]): [string, JsonObject] => {
    const description = field['description'] ?? texts[`${owner}.${name}`] ?? texts[name];
    const inner = describeFields(field, texts, name);
    return [name, description === undefined ? inner : { ...inner, description }];
  });
  return { ...schema, properties: Object.fromEntries(described) };
}

/** Returns a document with other descriptions, by those that it has. */
export function withTexts<Document extends object>(
  document: Document,
  texts: Readonly<Record<string, string>> = {},
): Document {
  return JSON.parse(JSON.stringify(document), (name, value: unknown) =>
    name === 'description' && typeof value === 'string' ? (texts[value] ?? value) : value,
  ) as Document;
}
