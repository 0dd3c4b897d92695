import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { jsonLimits } from '../engine/lib/json-limits.ts';
import { printable } from '../engine/lib/printable.ts';
import { readForeignText } from '../mounts/node/read-file.ts';
import type { DocumentFiles } from '../suite/api-document.ts';
import { changedEndpoints, type Changes } from '../suite/since.ts';
import { UsageError } from './values.ts';
import { cannotRead } from './whole-file.ts';

/**
 * Returns what has changed since the commit in which a branch has left another one: in commits, in the working tree, and new files.
 *
 * @param ref the other branch: `origin/main`
 * @param document an OpenAPI document; a URL has no older version
 * @throws UsageError for a ref that is not there, or has no commit in common
 */
export async function changesSince(
  ref: string,
  folder: string,
  document?: string,
): Promise<Changes> {
  if (ref.startsWith('-'))
    throw new UsageError(`--since must be a branch or a commit, not '${ref}'.`);
  const top = topOf(folder);
  if (top === undefined)
    throw new UsageError(`--since requires a repository of Git, not ${folder}.`);
  const commit = git(top, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`])?.trim();
  if (commit === undefined)
    throw new UsageError(`--since: '${printable(ref)}' is not in this clone. ${fetchAll}`);
  const base = git(top, ['merge-base', commit, 'HEAD'])?.trim();
  if (base === undefined)
    throw new UsageError(
      `--since: this clone has no commit that HEAD and '${printable(ref)}' have in common. ${fetchAll}`,
    );
  const { changed, formerNames } = diffSince(base, top);
  const files = changed.map((file) => resolve(top, file)).filter((file) => existsSync(file));
  return { base, files, ...(await documentSince(base, top, formerNames, document, folder)) };
}

/** Returns the root of the repository that has a folder; undefined if there is none. */
export function topOf(folder: string): string | undefined {
  return git(folder, ['rev-parse', '--show-toplevel'])?.trimEnd();
}

const fetchAll = 'In GitHub Actions, actions/checkout fetches it with fetch-depth: 0.';

/** Returns what git prints; undefined if it fails. */
function git(folder: string, args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: jsonLimits.scenario.bytes,
  });
  return status === 0 ? stdout : undefined;
}

/** Returns the files that differ from a commit, and the former names of those that have another one. */
function diffSince(base: string, top: string) {
  const flags = ['--name-status', '-z', '--find-renames', '--no-ext-diff'];
  const words = (git(top, ['diff', ...flags, base, '--']) ?? '').split('\0').values();
  const changed = new Set<string>();
  const formerNames = new Map<string, string>();
  for (const status of words) {
    if (status === '') continue;
    const name = words.next().value ?? '';
    changed.add(name);
    if (!/^[RC]/.test(status)) continue;
    const now = words.next().value ?? '';
    changed.add(now);
    formerNames.set(now, name);
  }
  const added = git(top, ['ls-files', '--others', '--exclude-standard', '-z']) ?? '';
  for (const name of added.split('\0')) if (name !== '') changed.add(name);
  return { changed: [...changed], formerNames };
}

/** Returns the files of a document, and the endpoints whose part of it has changed. */
async function documentSince(
  base: string,
  top: string,
  formerNames: ReadonlyMap<string, string>,
  document: string | undefined,
  folder: string,
): Promise<Pick<Changes, 'documents' | 'endpoints'>> {
  const unchanged = { documents: [], endpoints: [] };
  if (document === undefined || /^https?:/.test(document)) return unchanged;
  const file = resolve(folder, document);
  const name = nameIn(top, file);
  // One that git ignores has no older version, as one at a URL.
  const flags = ['--cached', '--others', '--exclude-standard'];
  if (existsSync(file) && !git(top, ['ls-files', ...flags, '--', name])) return unchanged;
  const former = resolve(top, formerNames.get(name) ?? name);
  const formerText = (path: string): string | undefined =>
    git(top, ['show', `${base}:${nameIn(top, path)}`]);
  try {
    // A reader of YAML is loaded for it.
    const { readDocumentFiles } = await import('./api-document.ts');
    const read = (path: string, textAt: (path: string) => string): Promise<DocumentFiles> =>
      // What the document has at a URL is taken to be the same.
      readDocumentFiles(pathToFileURL(path).href, (url) =>
        url.startsWith('file:') ? textAt(fileURLToPath(url)) : '',
      );
    const now = await read(file, (path) => readForeignText(path, jsonLimits.scenario.bytes));
    const isNew = formerText(former) === undefined;
    const before = isNew ? undefined : await read(former, (path) => formerText(path) ?? '');
    const documents = [...now.keys()]
      .filter((url) => url.startsWith('file:'))
      .map((url) => fileURLToPath(url));
    return { documents, endpoints: changedEndpoints(before, now) };
  } catch (error) {
    throw cannotRead(document, error);
  }
}

/** Returns the path of a file in a repository, as git has it. */
function nameIn(top: string, file: string): string {
  return relative(top, file).replaceAll('\\', '/');
}
