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
    isExtra === true && 'A read-only extra that the specification lacks; links lead to it.',
  ];
  return sentences.filter((one): one is string => one !== false && one !== '');
}

function sortable(fields: object = {}): string {
  const names = Object.keys(fields).map((name) => `\`${name}\``);
  return names.length === 0 ? '' : `Sorting accepts ${names.join(', ')}.`;
}

/** Returns the description of a path parameter: `Id of the order`. */
export function pathParameterText(path: string, name: string): string {
  const known = pathTexts[name];
  if (known !== undefined) return known;
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

const pathTexts: Readonly<Record<string, string>> = {
  machine: 'State machine: `order`, `payment`, `shipment` or `inventory_unit`',
  coupon: 'Code of the coupon',
  rule_id: 'Id of the script rule',
};

/** Returns a schema of a query parameter with descriptions, also of the parameters in it. */
export function describeParameter(name: string, schema: JsonObject): JsonObject {
  const { properties } = schema as { readonly properties?: Record<string, JsonObject> };
  const description = schema['description'] ?? queryTexts[name] ?? '';
  if (properties === undefined) return { ...schema, description };
  const described = Object.entries(properties).map(([inner, one]) => [
    inner,
    name === 'sorting'
      ? { ...one, description: `Direction of \`${inner}\`` }
      : describeParameter(inner, one),
  ]);
  return { ...schema, description, properties: Object.fromEntries(described) as JsonObject };
}

/** The query parameters of several endpoints. The schemas of the others have descriptions of their own. */
const queryTexts: Readonly<Record<string, string>> = {
  page: 'Number of the page, from 1 (default: 1)',
  limit:
    'Maximum number of records in the page (default: 10). Values above the setting `maxLimit` are capped.',
  sorting: 'Sort direction by field: `sorting[id]=desc`. The first field is the first sort key.',
  criteria: 'Filters. A record has to match all of them: `criteria[name]=ada`.',
  channel: 'Id of a channel',
  number: 'Number of an order',
  createdAtFrom: 'Earliest day of creation in UTC: `2026-03-02` or an ISO 8601 date-time',
  createdAtTo: 'Latest day of creation in UTC: `2026-03-02` or an ISO 8601 date-time',
  billingAddress: 'Part of the first or last name in the billing address',
  shippingAddress: 'Part of the first or last name in the shipping address',
  stockLocation: 'Id of a stock location',
  query: 'Part of a name or an email address',
  name: 'Part of the name',
  client_id: 'Id of the client',
  client_secret: 'Secret of the client',
  grant_type: '`password` or `refresh_token`',
  username: 'Name or email address of the user, for the grant `password`',
  password: 'Password of the user, for the grant `password`',
  refresh_token: 'A refresh token that was not used before, for the grant `refresh_token`',
  scope: 'Ignored: tokens have no scope',
  request: 'Method and path of an endpoint or a URL: `PUT /api/checkouts/:order_id`',
  status: 'Status of the response, or its class: `400`, `4xx`',
  step: 'Checkout step of the request',
  reached: 'Whether the request reached an endpoint',
  since: 'Id of a journal entry: only later ones are matched',
};
