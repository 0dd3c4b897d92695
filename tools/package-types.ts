import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { root } from './bundle-parts.ts';
import { checkEditor, edited, typos } from './editor-types.ts';
import type { Size } from './package-sizes.ts';
import type { Run } from './run.ts';

/**
 * Compiles the declarations of the installed package, and compares the printed types of the contract with the inferred
 * ones.
 *
 * @param user the folder of a project that has the package installed
 * @returns what a compiler instantiates for a project that imports the contract: 35,000 are those of an empty project
 * @throws Error with the compiler's messages
 */
export async function checkTypes(user: string, run: Run): Promise<Size[]> {
  const folder = join(user, 'types');
  mkdirSync(folder);
  const compile = async (name: string, source: string, options: object): Promise<string> => {
    const config = { compilerOptions: { ...strict, ...options }, files: [`${name}.ts`] };
    writeFileSync(join(folder, `${name}.ts`), source);
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(config));
    return run('tsc', ['-p', `${name}.json`, '--extendedDiagnostics'], folder);
  };
  await compile('blank', blank, { skipLibCheck: false });
  const report = await compile('client', client, { skipLibCheck: false });
  await compile('edited', edited, { skipLibCheck: true });
  await compile('typos', typos, { skipLibCheck: true });
  checkEditor(join(folder, 'edited.ts'), editorOptions(folder));
  await compile('compared', compared, {
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    typeRoots: [join(root, 'node_modules/@types')],
    types: ['node'],
  });
  const value = Number(/Instantiations:\s+(\d+)/.exec(report)?.[1]);
  return [{ what: 'instantiations of the types of backlot/contract', value, limit: 100_000 }];
}

/** Returns the options of a project as the language service reads them. */
function editorOptions(folder: string): ts.CompilerOptions {
  return ts.convertCompilerOptionsFromJson({ ...strict, skipLibCheck: true }, folder).options;
}

const strict = {
  target: 'es2024',
  lib: ['es2024', 'es2025.iterator', 'es2025.collection', 'dom', 'dom.iterable'],
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  types: [],
};

const client = `
  import type { AnswerOf } from 'backlot/contract';
  export const stateOf = (order: AnswerOf<'GET /api/orders/:order_id/'>) => order.state;
`;

/** The entry points whose types require no other package. */
const blank = ['', '/browser', '/client', '/contract', '/define', '/devtools', '/express', '/fetch']
  .concat('/node', '/session', '/storybook', '/testing')
  .map((entry) => `import 'backlot${entry}';`)
  .join('\n');

const inferred = [
  'Scenario',
  'ScenarioInput',
  'Settings',
  'SettingsInput',
  'FaultRuleInput',
].concat('ScriptRuleInput', 'JournalEntry', 'JournalFilterInput', 'BackOfficeFile');

const compared = `
  import type * as inferred from '${join(root, 'src/contract.ts')}';
  import type * as printed from 'backlot/contract';
  type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;
  type Name = inferred.EndpointName;
  type All<Value> = { [One in Name]: Value };
  declare const names: Same<Name, printed.EndpointName>;
  export const sameNames: true = names;
  declare const answers: { [One in Name]: Same<inferred.AnswerOf<One>, printed.AnswerOf<One>> };
  export const sameAnswers: All<true> = answers;
  declare const bodies: { [One in Name]: Same<inferred.BodyOf<One>, printed.BodyOf<One>> };
  export const sameBodies: All<true> = bodies;
  declare const queries: { [One in Name]: Same<inferred.QueryOf<One>, printed.QueryOf<One>> };
  export const sameQueries: All<true> = queries;
  declare const paths: { [One in Name]: Same<inferred.PathOf<One>, printed.PathOf<One>> };
  export const samePaths: All<true> = paths;
  declare const settings: Same<inferred.SettingsInput, printed.SettingsInput>;
  export const sameSettings: true = settings;

  // Schemas of the contract in schemas of zod.
  import * as z from '${join(root, 'node_modules/zod')}';
  import * as schemas from 'backlot/contract';
  const composed = z.object({ users: z.array(schemas.UserView), one: z.optional(schemas.UserView) });
  type Composed = { users: printed.UserView[]; one?: printed.UserView | undefined };
  declare const inSchemas: Same<z.output<typeof composed>, Composed>;
  export const sameInSchemas: true = inSchemas;

  // What is inferred from schemas by the types of zod, and by those of the package.
  import type * as source from '${join(root, 'src/index.ts')}';
  import type * as main from 'backlot';
  ${inferred.map((name) => `export const is${name}: Same<source.${name}, main.${name}> = true;`).join('\n  ')}
  type Tables = source.Database;
  type Row<Table extends { get(id: number): unknown }> = NonNullable<ReturnType<Table['get']>>;
  type New<Table extends { add(values: never): unknown }> = Parameters<Table['add']>[0];
  declare const rows: {
    [Name in keyof Tables]: Same<
      [Row<Tables[Name]>, New<Tables[Name]>],
      [Row<main.Database[Name]>, New<main.Database[Name]>]
    >;
  };
  export const sameRows: { [Name in keyof Tables]: true } = rows;
`;
