/** Tables of Markdown, of rows and of the fields of a JSON Schema. */

/** What is needed of JSON Schema. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Returns a table of the fields of a schema; those of `match` and `limit` are listed one by one. */
export function fieldTable({ properties = {} }: Schema, exclude: readonly string[] = []): string {
  return table(['field', 'type', 'what it does'], rowsOf(properties, '', exclude));
}

function rowsOf(
  properties: Readonly<Record<string, Schema>>,
  before = '',
  exclude: readonly string[] = [],
): string[][] {
  return Object.entries(properties).flatMap(([name, field]) => {
    if (exclude.includes(name)) return [];
    const path = `${before}${name}`;
    const row = [`\`${path}\``, typeOf(field), described(field)];
    const isShort = before === '' && ['match', 'limit'].includes(name);
    return [row, ...(isShort ? rowsOf(field.properties ?? {}, `${path}.`) : [])];
  });
}

function described({ description = '', default: value }: Schema): string {
  const isSaid = description.includes('(default') || value === undefined || isEmpty(value);
  return isSaid ? description : `${description} (default: \`${JSON.stringify(value)}\`)`;
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && JSON.stringify(value).length <= 2;
}

function typeOf(field: Schema): string {
  if (field.const !== undefined) return `\`${JSON.stringify(field.const)}\``;
  if (field.enum !== undefined) return field.enum.map((one) => `\`${String(one)}\``).join(', ');
  if (field.anyOf !== undefined) return [...new Set(field.anyOf.map(typeOf))].join(' or ');
  if (field.type === 'array') return `list of ${typeOf(field.items ?? {})}`;
  return field.type ?? 'any';
}

/** Returns a table of Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function line(cells: readonly string[]): string {
  const escaped = cells.map((cell) => cell.replaceAll('\n', ' ').replaceAll(outsideOfCode, '&lt;'));
  return `| ${escaped.join(' | ')} |`;
}

/** What Markdown would read as HTML. */
const outsideOfCode = /<(?=[^`]*(?:`[^`]*`[^`]*)*$)/g;
