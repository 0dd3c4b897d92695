import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import * as contractModule from '../src/contract.ts';
import { describeFields } from './described-types.ts';

const names = [...new Set(contractModule.contract.map(({ method, path }) => `${method} ${path}`))];
const schemas = Object.entries(contractModule)
  .filter(([, value]) => typeof value === 'object' && '_zod' in value)
  .map(([name]) => name);
const parts = ['Path', 'Query', 'Body', 'Answer'];
/** The fields of a row whose types are printed. Those of the others stand in `declarations`. */
const fields = ['method', 'path', 'step', 'status'];

/**
 * Replaces `contract.d.ts` in a folder of emitted declarations by one without inferred types: one plain type for each
 * view, and for the parameters and the answer of each endpoint. The compiler checks it in a fraction of the time.
 */
export function flattenContract(folder: string): void {
  const types = printTypes(folder, [
    ...schemas,
    'SettingsInput',
    `PageView<'Item'>`,
    ...names.flatMap((name) => parts.map((part) => `${part}Of<'${name}'>`)),
    ...fields.map((field) => `NonNullable<ContractRow['${field}']>`),
  ]);
  const textOf = (type: string): string => types.get(type) ?? 'never';
  const views = schemas.map((name) => ({ name, text: textOf(name) }));
  const shorten = shortenerOf(views);
  const endpoints = names.map((name) => {
    const members = parts.map((part) => `${part}: ${shorten(textOf(`${part}Of<'${name}'>`))};`);
    return `'${name}': { ${members.join(' ')} };`;
  });
  const row = fields.map((field) => {
    const mark = field === 'step' ? '?' : '';
    return `readonly ${field}${mark}: ${textOf(`NonNullable<ContractRow['${field}']>`)};`;
  });
  const text = [
    declarations,
    ...views.flatMap(({ name, text: type }) => [
      `export type ${name} = ${name === 'Settings' ? settings(type) : shorten(type, name)};`,
      `export declare const ${name}: Schema<${name}>;`,
    ]),
    `export type SettingsInput = ${settings(textOf('SettingsInput'))};`,
    `export type PageView<Item> = ${textOf(`PageView<'Item'>`).replaceAll('"Item"', 'Item')};`,
    `interface Rows {\n${endpoints.join('\n')}\n}`,
    `export interface ContractRow extends RowFields {\n${row.join('\n')}\n}`,
  ];
  writeFileSync(join(folder, 'contract.d.ts'), `${text.join('\n')}\n`);
  writeFileSync(join(folder, 'client.d.ts'), client);
}

/** Returns the printed type of the settings with their descriptions as docstrings. */
function settings(type: string): string {
  return describeFields(type, contractModule.Settings);
}

/** Names views inside of other types, the longest first, because they contain others. */
function shortenerOf(views: readonly { readonly name: string; readonly text: string }[]) {
  const longest = views.toSorted((one, other) => other.text.length - one.text.length);
  return (type: string, own?: string): string => {
    let short = type;
    for (const { name, text } of longest)
      if (name !== own && text.startsWith('{')) short = short.replaceAll(text, name);
    return short;
  };
}

/** Prints types of the contract in full, without any names but those of the language. */
function printTypes(folder: string, types: readonly string[]): ReadonlyMap<string, string> {
  const file = join(folder, 'probe.ts');
  const lines = types.map((type, at) => `export declare const type${at}: Flat<c.${type}>;`);
  writeFileSync(file, [probe, ...lines].join('\n').replaceAll('c.NonNullable<', 'NonNullable<c.'));
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    strict: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const errors = ts.getPreEmitDiagnostics(program, source);
  if (source === undefined || errors.length > 0) {
    throw new Error(ts.formatDiagnostics(errors, formatHost));
  }
  const printed = new Map<string, string>();
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(source) ?? fail());
  for (const symbol of exported) {
    const type = checker.typeToString(checker.getTypeOfSymbol(symbol), undefined, flags);
    printed.set(types[Number(symbol.name.slice('type'.length))] ?? '', type);
  }
  rmSync(file);
  return printed;
}

const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias;

const formatHost: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: String,
  getCurrentDirectory: () => '.',
  getNewLine: () => '\n',
};

function fail(): never {
  throw new Error('The probe is not a module');
}

/** A conditional type that infers its own argument loses the name of that type, so it is printed in full. */
const probe = `
import type * as c from './contract.ts';
type Flat<T> = T extends readonly unknown[]
  ? T extends unknown[] ? Flat<T[number]>[] : readonly Flat<T[number]>[]
  : T extends object ? (T extends infer Own ? { [Name in keyof Own]: Flat<Own[Name]> } : never) : T;
`;

/** The types of endpoints stand beside those of the schemas. */
const client = `
export { pathOf, type AnswerOf, type BodyOf, type EndpointName } from './contract.ts';
export type { Call, ErrorBody, PathOf, QueryOf, SentTo } from './contract.ts';
`;

/** What is written by hand: generic types, the parameters of rows, and functions. */
const declarations = `
import type * as z from 'zod';
import type { ErrorTree } from './engine/rest/errors.ts';
import type { FormChildren } from './engine/rest/form.ts';
import type { Example, Method } from './engine/rest/endpoint.ts';
import type { FieldIssue, ProblemKind } from './engine/lib/problem.ts';

export type { Method } from './engine/rest/endpoint.ts';

/** A schema of zod 4, which schemas of your own can contain. */
export interface Schema<Output = unknown> extends z.ZodType<Output> {}

/** The parameters of a query or a body. */
interface Parameters {
  readonly schema: Schema<Record<string, unknown>>;
  /** Names of parameters, with those of nested blocks: the children of the error tree. */
  readonly children: FormChildren;
  parse(sent: unknown, unknownParameters: 'reject' | 'ignore'): {
    readonly values: unknown;
    readonly issues: readonly FieldIssue[];
  };
}

interface RowFields {
  readonly summary: string;
  /** Marks a read-only endpoint that the specification lacks. */
  readonly isExtra?: boolean;
  readonly chosenBy?: readonly string[];
  readonly query?: Parameters;
  readonly body?: Parameters;
  readonly answer: Schema | undefined;
  readonly errors: readonly ProblemKind[];
  readonly example: Example;
}

/** All endpoints: method, path, forms of query and body, status, response schema and an example. */
export declare const contract: readonly ContractRow[];
/** The same path without its last slash, or with one. */
type OtherForm<Path extends string> = Path extends \`\${infer Start}/\` ? Start : \`\${Path}/\`;
type Endpoints = { [Name in keyof Rows as Name | OtherForm<Name>]: Rows[Name] };
/** The name of an endpoint, with or without a last slash: \`'GET /api/users/:user_id'\`. */
export type EndpointName = keyof Endpoints;
/** The parameters of a path: \`{ user_id: 7 }\`. */
export type PathOf<Name extends EndpointName> = Endpoints[Name]['Path'];
/** The nested parameters of the query; undefined if there are none. */
export type QueryOf<Name extends EndpointName> = Endpoints[Name]['Query'];
/** The parameters of the body: a union, if an endpoint has several steps. \`{}\` is no parameters. */
export type BodyOf<Name extends EndpointName> = Endpoints[Name]['Body'];
/** The body of a successful response; undefined if there is none. */
export type AnswerOf<Name extends EndpointName> = Endpoints[Name]['Answer'];
/** What a request to an endpoint has. */
export interface SentTo<Name extends EndpointName> {
  readonly path: PathOf<Name>;
  readonly query?: QueryOf<Name>;
  readonly body?: BodyOf<Name>;
}
/** A function that calls an endpoint by its name, for a client of your own: \`const call: Call = async (name, sent) => …\`. */
export type Call = <Name extends EndpointName>(name: Name, sent: SentTo<Name>) => Promise<AnswerOf<Name>>;
/** The body of an error response. */
export interface ErrorBody {
  readonly code: number;
  readonly message: string;
  /** The issues of each parameter. */
  readonly errors?: ErrorTree;
}
/**
 * Returns the path of an endpoint with its parameters filled in, and its query string:
 * \`pathOf('GET /api/users/:user_id', { user_id: 7 })\`, \`pathOf('GET /api/orders/', {}, { sorting: { total: 'desc' } })\`.
 */
export declare function pathOf<Name extends EndpointName>(name: Name, parameters: PathOf<Name>, query?: QueryOf<Name>): string;
`;
