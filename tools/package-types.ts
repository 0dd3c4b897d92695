import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { checkEditor, edited, typos } from './editor-types.ts';
import type { Size } from './package-sizes.ts';
import { root, type Run } from './run.ts';

/**
 * Compiles the declarations of the installed package, and looks at what editors show of them.
 *
 * @param user the folder of a project that has the package installed
 * @returns what a compiler instantiates for a project that imports the contract, without what it costs to check declarations themselves
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
  const typeRoots = [join(root, 'node_modules/@types')];
  await compile('blank', blank, { skipLibCheck: false, types: ['node'], typeRoots });
  const report = await compile('client', client, { skipLibCheck: true });
  await compile('edited', edited, { skipLibCheck: true });
  await compile('typos', typos, { skipLibCheck: true });
  checkEditor(join(folder, 'edited.ts'), editorOptions(folder));
  const value = Number(/Instantiations:\s+(\d+)/.exec(report)?.[1]);
  return [{ what: 'instantiations of the types of backlot/contract', value, limit: 10_000 }];
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

/** The entry points whose types require no test runner. */
const blank = ['', '/browser', '/client', '/contract', '/define', '/devtools', '/express', '/fetch']
  .concat('/node', '/session', '/storybook', '/testing')
  .map((entry) => `import 'backlot${entry}';`)
  .join('\n');
