import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseSync } from 'vite';

/** The folder of package.json. */
export const root = join(import.meta.dirname, '../..');

const generated = ['node_modules', '.git', 'dist', 'coverage'];

/**
 * Returns the files of the project, without generated and installed ones and those of git.
 *
 * @returns paths from the root, `src/engine/rest/page.ts`
 */
export function files(folder = '.'): string[] {
  return globSync(['**/{*,.*}', '.*/**/{*,.*}'], {
    cwd: join(root, folder),
    withFileTypes: true,
    // Only the root's `coverage` is generated.
    exclude: ({ name, parentPath }) =>
      generated.includes(name) && (name !== 'coverage' || parentPath === root),
  })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .map((path) => path.split(sep).join('/'))
    .toSorted();
}

/** Returns the files that git knows, or all files of a tree without git: what a user leaves in a clone is none of the project. */
export function committed(): string[] {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  const known = status === 0 ? stdout.split('\0').filter((path) => path !== '') : files();
  return known.filter((path) => existsSync(join(root, path)));
}

/** Returns the TypeScript files of the project. */
export function sources(folder: string): string[] {
  return files(folder).filter((path) => path.endsWith('.ts'));
}

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Returns the text of a TypeScript file without its comments. */
export function code(path: string): string {
  const text = read(path);
  const { comments } = parseSync(path, text);
  return comments.reduceRight(
    (rest, { start, end }) => rest.slice(0, start) + rest.slice(end),
    text,
  );
}

/** Returns the modules that a TypeScript file imports or re-exports, types included: `../problem.ts`, `node:fs`. */
export function importsOf(path: string): string[] {
  const text = read(path);
  const { staticImports, staticExports, dynamicImports } = parseSync(path, text).module;
  return [
    ...staticImports.map((row) => row.moduleRequest.value),
    ...staticExports.flatMap((row) =>
      row.entries.flatMap((entry) => entry.moduleRequest?.value ?? []),
    ),
    // A file of a user is imported by an expression, which names no package.
    ...dynamicImports
      .map(({ moduleRequest: { start, end } }) => text.slice(start, end))
      .filter((request) => /^['"`]/.test(request))
      .map((request) => request.slice(1, -1)),
  ];
}
