import { isObject, mapValues, type JsonObject } from '../lib/json-value.ts';
import { objectAt } from './openapi-schemas.ts';
import type { Row } from './openapi-responses.ts';
import { documentTexts, type DocumentTexts } from '../lib/document-texts.ts';

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
  const { properties, additionalProperties: entry } = schema;
  if (isObject(entry))
    return { ...schema, additionalProperties: describeFields(entry, texts, owner) };
  if (!isObject(properties)) return schema;
  const described = mapValues(properties, (one, name) => {
    const field = objectAt(one);
    const { description = texts[`${owner}.${name}`] ?? texts[name] } = field;
    const inner = describeFields(field, texts, name);
    return description === undefined ? inner : { ...inner, description };
  });
  return { ...schema, properties: described };
}

/** Returns a document with the descriptions that an API has in the place of those for any API. */
export function withTexts<Document extends object>(
  document: Document,
  own: DocumentTexts = {},
): Document {
  const keys = Object.keys(own) as (keyof DocumentTexts)[];
  const texts = new Map<string, string | undefined>(
    keys.map((key) => [documentTexts[key], own[key]]),
  );
  return changeTexts(document, (text, name) =>
    name === 'description' ? (texts.get(text) ?? text) : text,
  );
}

/** Returns a document with other texts. @param change receives a text, and the name of its property */
export function changeTexts<Document extends object>(
  document: Document,
  change: (text: string, name: string) => string,
): Document {
  // A text in the place of a text: the type stays, which the types of JSON do not know.
  return JSON.parse(JSON.stringify(document), (name, value: unknown) =>
    typeof value === 'string' ? change(value, name) : value,
  ) as Document;
}
