/** What the compiler knows of the types that the package exports. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { root } from './run.ts';

/** The sources of the entry points that have types for users. */
const entries = ['index', 'mounts/node', 'mounts/vitest', 'mounts/browser', 'mounts/fetch-handler']
  .concat('mounts/express', 'mounts/playwright')
  .map((name) => `src/${name}.ts`);

const program = ts.createProgram({
  rootNames: entries.map((file) => join(root, file)),
  options: ts.convertCompilerOptionsFromJson(
    { ...config(), noEmit: true, skipLibCheck: true },
    root,
  ).options,
});
const checker = program.getTypeChecker();

function config(): object {
  const { config: read } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) =>
    readFileSync(path, 'utf8'),
  ) as { readonly config: { readonly compilerOptions: object } };
  return read.compilerOptions;
}

function sourceOf(file: string): ts.SourceFile {
  return program.getSourceFile(join(root, file))!;
}

/** Returns a type that a file exports. @throws Error if it exports none of this name */
export function exportOf(file: string, name: string): ts.Symbol {
  const module = checker.getSymbolAtLocation(sourceOf(file))!;
  const exported = checker.getExportsOfModule(module).find((one) => one.name === name);
  if (exported === undefined) throw new Error(`${file} exports no ${name}`);
  return exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
}

/** Returns the properties of a type, inherited ones included. */
export function membersOf(symbol: ts.Symbol): ts.Symbol[] {
  return checker
    .getDeclaredTypeOfSymbol(symbol)
    .getProperties()
    .filter(({ name }) => !name.startsWith('__'));
}

/** Returns the type of a property as code; of a long one, its parameters only. */
export function shownType(symbol: ts.Symbol, file: string): string {
  const type = checker.getNonNullableType(
    checker.getTypeOfSymbolAtLocation(symbol, sourceOf(file)),
  );
  const text = checker.typeToString(
    type,
    undefined,
    ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope | ts.TypeFormatFlags.NoTruncation,
  );
  const [signature] = type.getCallSignatures();
  const short = signature === undefined ? 'object' : `(${parametersOf(signature)}) => …`;
  return `\`${(text.length > 80 ? short : text).replaceAll('|', String.raw`\|`)}\``;
}

function parametersOf(signature: ts.Signature): string {
  return signature.parameters
    .map(({ name, valueDeclaration: declared }) => {
      const isParameter = declared !== undefined && ts.isParameter(declared);
      const isOptional = isParameter && checker.isOptionalParameter(declared);
      return `${isParameter && declared.dotDotDotToken ? '...' : ''}${name}${isOptional ? '?' : ''}`;
    })
    .join(', ');
}

/** Returns what the documentation comment of a symbol says, in one line. */
export function textOf(symbol: ts.Symbol): string {
  return ts
    .displayPartsToString(symbol.getDocumentationComment(checker))
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim();
}
