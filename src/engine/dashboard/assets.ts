import { bundle, bundleStudio, nodeModule, sourceAt, type StudioScripts } from './bundle.ts';

// The build replaces this module with one that contains both texts, so a user of the package needs no esbuild.

const scripts = new Map<string, string>();

let studio: StudioScripts | undefined;

/** The script of the studio, bundled from its sources at the first call. */
export function studioScript(): string {
  return (studio ??= bundleStudio()).script;
}

/** The scripts of the rooms of the studio by their names: `docs.js`. The studio loads one when it is first opened. */
export function studioRooms(): Readonly<Record<string, string>> {
  return (studio ??= bundleStudio()).rooms;
}

/** The script of the banner for pages of a demo. */
export function bannerScript(): string {
  return script('client/banner.ts');
}

function script(entry: string): string {
  const known = scripts.get(entry);
  if (known !== undefined) return known;
  const bundled = bundle({ entryPoints: [sourceAt(entry)] });
  scripts.set(entry, bundled);
  return bundled;
}

/** The style sheet of the studio. */
export function studioStyle(): string {
  return script('../studio/studio.css');
}

/** The style sheet of all other pages. */
export function pageStyle(): string {
  return text('page.css');
}

function text(path: string): string {
  return nodeModule('node:fs').readFileSync(new URL(path, import.meta.url), 'utf8');
}
