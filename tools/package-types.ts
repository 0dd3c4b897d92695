import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { entries } from './package-managers.ts';
import { checkEditor, edited, typos } from './editor-types.ts';
import type { Size } from './package-sizes.ts';
import { manifest } from './packed.ts';
import { runDownload } from './run-download.ts';
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
    return run('tsc', ['-p', `${name}.json`, '--extendedDiagnostics', '--listFiles'], folder);
  };
  const typeRoots = [join(root, 'node_modules/@types')];
  await compile('blank', blank, { skipLibCheck: false, types: ['node'], typeRoots });
  const report = await compile('client', client, { skipLibCheck: true });
  const printed = await compile('without-msw', withoutMsw, { skipLibCheck: true });
  if (printed.includes('/node_modules/msw/'))
    throw new Error('The declarations that need no MSW import it.');
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
const blank = importsOf(entries.filter((entry) => !/jest|playwright|vitest/.test(entry)));

/** The entry points that projects without MSW use. */
const withoutMsw = importsOf(
  entries.filter((entry) => /client|contract|define|jest|playwright|session|testing/.test(entry)),
);

function importsOf(names: readonly string[]): string {
  return names.map((name) => `import '${name}';`).join('\n');
}

/** The oldest compiler that reads the declarations, and the oldest that reads those of MSW, too. */
const oldest = { package: '5.4', all: '5.7' };

/**
 * Compiles the declarations with old versions of TypeScript, and those of all packages that they import.
 *
 * @param folder a project that has the package and its peers installed by npm
 * @throws Error with the compiler's messages, except those on declarations of MSW before the version that reads these
 */
export async function checkOldTypes(folder: string, run: Run): Promise<void> {
  const aliases = Object.values(oldest).map((one) => `typescript-${one}@npm:typescript@${one}`);
  const types = ['node', 'express'].map((name) => `@types/${name}`);
  const versions = types.map((name) => `${name}@${manifest.devDependencies[name]}`);
  const options = ['--no-audit', '--no-fund', '--loglevel=error'];
  await runDownload('npm', ['install', ...options, ...aliases, ...versions], folder);
  const compilerOptions = { ...strict, target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'] };
  const config = { compilerOptions: { ...compilerOptions, types: ['node'] }, files: ['old.ts'] };
  writeFileSync(join(folder, 'old.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'old.ts'), importsOf(entries));
  for (const version of Object.values(oldest)) {
    const tsc = join('node_modules', `typescript-${version}`, 'bin/tsc');
    const printed = await run('node', [tsc, '-p', 'old.json'], folder).catch(String);
    const errors = printed.split('\n').filter((line) => /: error TS\d+:/.test(line));
    const ofMsw = /^node_modules\/(msw|@mswjs\/[\w-]+)\//;
    const ours = errors.filter((line) => version === oldest.all || !ofMsw.test(line));
    if (ours.length > 0) throw new Error(`TypeScript ${version}:\n${ours.join('\n')}`);
  }
}
