import { escaped, page } from './dashboard.ts';

/** The parts of an OpenAPI document that the page shows. */
export interface Described {
  readonly info: { readonly title: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: Components & { readonly securitySchemes: object };
}

/** The parts that operations refer to. */
interface Components {
  readonly schemas: Readonly<Record<string, unknown>>;
  readonly responses: Readonly<Record<string, unknown>>;
}

interface DescribedOperation {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: readonly { readonly [part: string]: unknown }[];
  readonly responses: { readonly [status: string]: unknown };
  readonly description?: unknown;
  readonly requestBody?: unknown;
}

interface Operation extends DescribedOperation {
  readonly method: string;
  readonly path: string;
}

/**
 * Returns the page that lists every endpoint of an OpenAPI document.
 *
 * @param root the relative path from the page to `/_backlot/`: `./`
 */
export function docsPage({ info, servers, paths, components }: Described, root: string): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  );
  const groups = [...Map.groupBy(operations, ({ tags }) => tags[0] ?? '')];
  const links = groups.map(([tag]) => `<a href="#${escaped(tag)}">${escaped(tag)}</a>`).join('');
  const cards = groups.map(([tag, group]) => groupCard(tag, group, components)).join('\n');
  return page(
    `${info.title} API reference`,
    `<header><h1>${escaped(info.title)}</h1>
<nav><a href="${root}">Dashboard</a><a href="${root}openapi.json">OpenAPI document</a></nav></header>
<p class="soft">${escaped(info.description)}</p>${prefixNote(servers[0]?.url ?? '/')}
<nav class="card" aria-label="Resources">${links}</nav>
<p></p>
${securityCard(components.securitySchemes)}
${cards}`,
    root,
  );
}

/** Shows the prefix of all paths, if there is one. */
function prefixNote(prefix: string): string {
  if (prefix === '/') return '';
  return `\n<p class="soft">All paths start with <code>${escaped(prefix)}</code>.</p>`;
}

/** Lists the security schemes by the names that endpoints refer to. */
function securityCard(schemes: object): string {
  const items = Object.entries(schemes).map(
    ([name, { description = '' }]: [string, { description?: string }]) =>
      `<li><code>${escaped(name)}</code> <span class="soft">${withCode(description)}</span></li>`,
  );
  if (items.length === 0) return '';
  return `<section class="card" id="authentication"><h2>Authentication</h2><ul>${items.join('\n')}</ul></section><p></p>`;
}

/** Converts text with `code` in backticks to markup. */
function withCode(text: string): string {
  return escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function groupCard(tag: string, operations: readonly Operation[], components: Components): string {
  const list = operations.map((operation) => operationDetails(operation, components)).join('\n');
  return `<section class="card" id="${escaped(tag)}"><h2>${escaped(tag)}</h2>${list}</section><p></p>`;
}

function operationDetails(operation: Operation, components: Components): string {
  const { method, path, summary, description, parameters, requestBody, responses } = operation;
  const lines = typeof description === 'string' ? description.split('\n') : [];
  const parts = [
    ...(lines.length > 0 ? [`<ul>${lines.map(listItem).join('')}</ul>`] : []),
    ...(parameters.length > 0
      ? [`<p>Parameters: ${parameters.map(parameter).join(', ')}</p>`]
      : []),
    ...(requestBody === undefined
      ? []
      : [...examplesOf(requestBody), block('Body', shown(requestBody, components))]),
    ...Object.entries(responses).map(([status, answer]) => response(status, answer, components)),
  ];
  return `<details><summary><span class="method mono ${colours[method] ?? ''}">${method.toUpperCase()}</span>
<code>${escaped(path)}</code> <span class="soft">${escaped(summary)}</span></summary>${parts.join('\n')}</details>`;
}

const colours: Readonly<Record<string, string>> = { get: 'good', delete: 'bad' };

function listItem(line: string): string {
  return `<li>${withCode(line.replace(/^- /, ''))}</li>`;
}

function parameter(one: { readonly [part: string]: unknown }): string {
  const properties = Object.keys((one['schema'] as { properties?: object }).properties ?? {});
  const inner = properties.length === 0 ? '' : `[${properties.join('|')}]`;
  return `<code>${escaped(`${String(one['name'])}${inner}`)}</code>`;
}

function response(status: string, answer: unknown, components: Components): string {
  const { $ref } = answer as { $ref?: string };
  const found = $ref === undefined ? answer : components.responses[nameOf($ref)];
  const { description, content } = found as { description?: string; content?: object };
  const title = `${status} ${description ?? ''}`;
  const isError = Number(status) >= 400;
  return content === undefined || isError
    ? `<p class="soft">${escaped(title)}</p>`
    : block(title, shown(answer, components));
}

function block(title: string, value: string): string {
  return `<details><summary>${escaped(title)}</summary><pre>${escaped(value)}</pre></details>`;
}

/** Returns the example bodies with their titles. */
function examplesOf(body: unknown): string[] {
  const { content } = body as { content: Readonly<Record<string, { examples?: object }>> };
  const examples = Object.values(Object.values(content)[0]?.examples ?? {});
  return examples.map(({ summary, value }: { summary: string; value: unknown }) =>
    block(examples.length > 1 ? `Example: ${summary}` : 'Example', JSON.stringify(value, null, 2)),
  );
}

/** Returns the schema of a body or a response. Follows a `$ref` to the components. */
function shown(part: unknown, { schemas }: Components): string {
  const { content } = part as { content: Readonly<Record<string, { schema: object }>> };
  const schema = Object.values(content)[0]?.schema ?? {};
  const named = '$ref' in schema ? schemas[nameOf(String(schema.$ref))] : schema;
  return JSON.stringify(named, null, 2) ?? '';
}

function nameOf(reference: string): string {
  return reference.split('/').at(-1) ?? '';
}
