import { onDemand } from '../lib/on-demand.ts';
import type { PageFiles } from './built-pages.ts';

const files = onDemand(async () => (await import('./built-pages.ts')).builtPages);

/** Loads the files where they cannot be read from a disk: in a page, and in a bundle. */
export async function loadPageFiles(): Promise<void> {
  if (readPageFiles()) return;
  // The page of traces is one file, and serves no others.
  await files.load().catch(() => undefined);
}

/** Returns a script or a style sheet, undefined if there is none. @throws Problem `refused` if the files are not loaded */
export function pageFile(path: string): string | undefined {
  readPageFiles();
  return new Map(Object.entries(files.parts())).get(path);
}

/** `dist/pages/pages.json`, where the build puts it: from the bundled modules beside it, and from this folder of a checkout. */
const places = ['../pages/pages.json', '../../../dist/pages/pages.json'];

/** Reads the files when they are first needed. Returns whether they are there. */
function readPageFiles(): boolean {
  if (files.isLoaded()) return true;
  if (typeof process === 'undefined' || !('getBuiltinModule' in process)) return false;
  const fs = process.getBuiltinModule('node:fs');
  const place = places
    .map((path) => new URL(path, import.meta.url))
    .find((url) => url.protocol === 'file:' && fs.existsSync(url));
  if (place === undefined) return false;
  files.provide(() => JSON.parse(fs.readFileSync(place, 'utf8')) as PageFiles);
  return true;
}
