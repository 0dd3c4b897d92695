import { styleText } from 'node:util';
import type * as z from 'zod';
import type { ApiDefinition, ApiEndpoint } from '../engine/definition/api.ts';
import { addressOf } from '../engine/lib/api-path.ts';
import { defaultAddress, quoted } from '../engine/office/export/request-text.ts';
import { fieldsOf } from '../engine/lib/schema-parts.ts';
import { messagesOf, partsOf, wordsOf } from '../engine/office/schema-words.ts';
import { extraFields } from '../engine/rest/form.ts';
import { statusOf } from '../engine/rest/errors.ts';
import { linksOf } from '../engine/rest/openapi-links.ts';
import { Schemas } from '../engine/rest/openapi-schemas.ts';
import { operationsNamed } from '../engine/rest/openapi-slice.ts';
import { tagOf } from '../engine/rest/openapi.ts';
import { operationIdOf } from '../engine/rest/operation-id.ts';
import { formatRows } from './arguments.ts';
import type { Arguments } from './commands.ts';
import { loadApi } from './config.ts';
import { printWrapped, widthOf } from './terminal.ts';
import { UsageError } from './values.ts';

/**
 * Prints the contract of endpoints in words: parameters, rules, errors, an example and what can be sent next.
 *
 * @throws UsageError without a name of endpoints
 * @throws Problem `missing` for the name of no endpoint
 */
export async function printContract({ names, ...flags }: Arguments<'contract'>): Promise<void> {
  if (names.length === 0)
    throw new UsageError(
      "contract requires an endpoint, such as 'POST /api/orders/', or a tag, such as checkouts.",
    );
  const api = await loadApi(flags);
  const named = api.endpoints.map((row) => ({
    row,
    method: row.method,
    path: row.path,
    operationId: operationIdOf(row),
    tags: [tagOf(row.path)],
    step: row.step,
  }));
  const rows = names.flatMap((name) => operationsNamed(name, named, api.path));
  const columns = widthOf(process.stdout) ?? Infinity;
  const chosen = [...new Set(rows)];
  const texts = chosen.map(({ row }) => contractText(row, api, columns));
  const steps = chosen.flatMap(({ path, step }) =>
    step !== undefined && named.some((one) => one.path === path && one.step !== step) ? [step] : [],
  );
  if (steps.length > 1)
    texts.unshift(`A step alone:\n${steps.map((one) => `npx backlot contract ${one}`).join('\n')}`);
  printWrapped(texts.join('\n\n'));
}

/** Returns the contract of one endpoint, or of one step of those that share a method and a path. */
function contractText(row: ApiEndpoint, api: ApiDefinition, columns: number): string {
  const { method, summary, status, errors, example } = row;
  const url = `${defaultAddress}${addressOf(api.path, example.url)}`;
  const body = example.body === undefined ? '' : ` --json ${quoted(JSON.stringify(example.body))}`;
  const flag = method === 'GET' ? '' : `-X ${method} `;
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['Names', [`  ${[operationIdOf(row), row.step ?? []].flat().join(', ')}`]],
    ['Query', formatRows(parametersOf(row.query?.schema, ''), columns)],
    ['Body', formatRows(parametersOf(row.body?.schema, ''), columns)],
    ['Rules', rulesOf(row).map((rule) => `  ${rule}`)],
    ['Errors', [`  ${errorsOf(errors)}`]],
    ['Example', [`  curl ${flag}${quoted(url)}${body}`, `  → ${status}`]],
    ['Next', formatRows(nextRows(row, api), columns)],
  ];
  return [
    `${styleText('bold', nameOf(row, api.path))}: ${summary}`,
    ...sections.flatMap(([title, lines]) => (lines.length === 0 ? [] : ['', title, ...lines])),
  ].join('\n');
}

/** Returns the parameters of a form with what each accepts; those of a block are below it. */
function parametersOf(
  schema: z.core.$ZodType | undefined,
  prefix: string,
): (readonly [name: string, about: string])[] {
  return Object.entries(fieldsOf(schema)).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const isOptional = field._zod.optin === 'optional';
    const inner = parametersOf(field, `${path}.`);
    const about = inner.length === 0 ? wordsOf(field) : 'a block';
    return [[path, `${about}${isOptional ? ', optional' : ''}`] as const, ...inner];
  });
}

/**
 * Returns the messages of an endpoint's rules: `shippingAddress.city: Please enter city.` A body has unknown parameters anywhere; a
 * query only in its blocks, because others are ignored. An endpoint of another standard ignores all of them.
 */
function rulesOf({ method, query, body, errorBody }: ApiEndpoint): string[] {
  const rules = [...messagesIn(query?.schema, ''), ...messagesIn(body?.schema, '')];
  const hasBlocks = query !== undefined && 'criteria' in query.children;
  const refusesOthers = errorBody === undefined && (method !== 'GET' || hasBlocks);
  return [...new Set([...rules, ...(refusesOthers ? [`any: ${extraFields}`] : [])])];
}

function messagesIn(schema: z.core.$ZodType | undefined, prefix: string): string[] {
  return partsOf(schema).flatMap(([name, part]) => [
    ...messagesOf(part).map((message) => `${prefix}${name}: ${message}`),
    ...messagesIn(part, `${prefix}${name}.`),
  ]);
}

/** `PUT /api/checkouts/:order_id (purchase)` */
function nameOf({ method, path, step }: ApiEndpoint, apiPath: string): string {
  return `${method} ${addressOf(apiPath, path)}${step === undefined ? '' : ` (${step})`}`;
}

function errorsOf(kinds: ApiEndpoint['errors']): string {
  const own = kinds.map((kind) => `${statusOf[kind]} ${kind}`);
  return [...new Set([...own, '400 malformed'])].toSorted().join(', ');
}

/** Returns the operations on the record in the response, and the next step of a checkout. */
function nextRows(row: ApiEndpoint, { endpoints, steps, views, path: apiPath }: ApiDefinition) {
  const links = linksOf(row, endpoints, new Schemas(views())) ?? {};
  const linked = endpoints.filter((one) => operationIdOf(one) in links);
  const { to } = steps.find(({ name }) => name === row.step) ?? {};
  const after = steps.find(({ from }) => from !== undefined && from === to)?.name;
  const next = endpoints.filter((one) => one.step !== undefined && one.step === after);
  return [...next, ...linked].map((one) => [nameOf(one, apiPath), one.summary] as const);
}
