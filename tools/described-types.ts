import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import * as z from 'zod';
import { root } from './run.ts';

/** A docstring to insert into a file. */
interface Docstring {
  readonly at: number;
  readonly text: string;
}

/**
 * Adds docstrings to the declarations of schemas in a folder of emitted declarations: the descriptions of the schemas.
 * Editors show them for the fields of the types that are inferred from the schemas.
 *
 * @throws Error if it adds none
 */
export async function describeTypes(folder: string): Promise<void> {
  const files = globSync('**/*.d.ts', { cwd: folder });
  const counts = await Promise.all(files.map((file) => describeFile(folder, file)));
  if (counts.every((count) => count === 0))
    throw new Error(
      'No schema in the declarations got a docstring: are they written in another form?',
    );
}

/** Returns the number of docstrings that it has added. */
async function describeFile(folder: string, file: string): Promise<number> {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(': z.Zod')) return 0;
  const module = (await import(join(root, 'src', file.replace(/\.d\.ts$/, '.ts')))) as Values;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext);
  const docstrings = source.statements.filter(ts.isVariableStatement).flatMap((statement) =>
    statement.declarationList.declarations.flatMap(({ name, type }) => {
      const value = ts.isIdentifier(name) ? module[name.text] : undefined;
      return docstringsOf(source, type, isSchema(value) ? value : undefined);
    }),
  );
  const own = source.statements
    .filter(ts.isFunctionDeclaration)
    .flatMap(({ type }) =>
      madeSchemas(module).flatMap((schema) => docstringsOf(source, type, schema)),
    );
  const added = [...docstrings, ...own];
  writeFileSync(path, withDocstrings(text, added));
  return added.length;
}

/**
 * Returns the schemas of the tables that functions of a module define for an API: `defineFaultRules(step)`. Other functions
 * of the module make schemas of the same fields.
 */
function madeSchemas(module: Values): z.ZodType[] {
  return Object.entries(module).flatMap(([name, define]) => {
    if (!/^define\w+Rules$/.test(name) || typeof define !== 'function') return [];
    const { schema } = (define as (step: z.ZodType) => { schema: z.ZodObject })(z.string());
    return [schema, ...Object.values(schema.shape).filter((field) => field instanceof z.ZodObject)];
  });
}

type Values = Readonly<Record<string, unknown>>;

function isSchema(value: unknown): value is z.ZodType {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

/** Walks through a type and its schema side by side: the parameters of `ZodArray<ZodObject<…>>` are its inner schemas. */
function docstringsOf(
  source: ts.SourceFile,
  type: ts.TypeNode | undefined,
  schema: z.ZodType | undefined,
): Docstring[] {
  if (type === undefined || schema === undefined || !ts.isTypeReferenceNode(type)) return [];
  const [argument, ...others] = type.typeArguments ?? [];
  const { def } = schema as unknown as { readonly def: Definition };
  if (def.type !== 'object' || argument === undefined || !ts.isTypeLiteralNode(argument)) {
    const inner = def.innerType ?? def.element ?? def.valueType;
    return docstringsOf(source, def.valueType === undefined ? argument : others[0], inner);
  }
  return argument.members.filter(ts.isPropertySignature).flatMap((member) => {
    const field = ts.isIdentifier(member.name) ? def.shape?.[member.name.text] : undefined;
    const text = descriptionOf(field);
    const own = text === undefined ? [] : [{ at: member.getStart(source), text }];
    return [...own, ...docstringsOf(source, member.type, field)];
  });
}

/** The parts of a schema's definition that contain other schemas. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly defaultValue?: unknown;
}

/** Returns the description of a schema or of the one that it wraps, and the default value. */
function descriptionOf(schema: z.ZodType | undefined): string | undefined {
  let description: string | undefined;
  let initial: unknown;
  for (let one = schema; one !== undefined;) {
    const { def } = one as unknown as { readonly def: Definition };
    description ??= one.description;
    initial ??= def.defaultValue;
    one = def.innerType;
  }
  if (description === undefined) return undefined;
  const isPlain = initial !== undefined && typeof initial !== 'object';
  return isPlain ? `${description} (default: \`${String(initial)}\`)` : description;
}

function withDocstrings(text: string, docstrings: readonly Docstring[]): string {
  return docstrings
    .toSorted((one, other) => other.at - one.at)
    .reduce(
      (after, { at, text: inserted }) =>
        `${after.slice(0, at)}${docstring(inserted)}${after.slice(at)}`,
      text,
    );
}

function docstring(text: string): string {
  return `/** ${text.replaceAll('*/', '*\u200B/')} */ `;
}
