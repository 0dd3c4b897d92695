import { posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pageFile } from '../../src/engine/dashboard/page-files.ts';

/** The scripts that a browser loads before the studio's page runs: its own, and all that it imports, not those of views. */
export function firstScripts(): ReadonlySet<string> {
  const names = new Set(['studio.js']);
  for (const name of names)
    for (const [, path = ''] of (pageFile(name) ?? '').matchAll(/\b(?:from|import)"(\.[^"]+)"/g))
      names.add(posix.join(posix.dirname(name), path));
  return names;
}

/** The size of files of the page in bytes, compressed. */
export function gzipSize(names: Iterable<string>): number {
  return [...names]
    .map((name) => gzipSync(pageFile(name) ?? '', { level: 9 }).length)
    .reduce((one, other) => one + other, 0);
}
