import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bundle-parts.ts';

/**
 * Returns the licences of the packages that these files belong to, sorted by name.
 *
 * @param files paths relative to the root of this project
 * @throws Error that names a package without a licence
 */
export function licensesOf(files: readonly string[]): string {
  const folders = files.flatMap(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
  );
  return [...new Set(folders)].toSorted().map(licenseOf).join('\n\n');
}

function licenseOf(folder: string): string {
  const manifest = readFileSync(join(root, folder, 'package.json'), 'utf8');
  const { name, version, license } = JSON.parse(manifest) as Record<string, string>;
  const [file] = globSync('{LICENSE,LICENCE,license}*', { cwd: join(root, folder) });
  if (file === undefined && license === undefined) throw new Error(`${folder} has no licence`);
  const text = file === undefined ? '' : readFileSync(join(root, folder, file), 'utf8').trim();
  return [`## ${name} ${version} (${license})`, ...(text === '' ? [] : [text])].join('\n\n') + '\n';
}
