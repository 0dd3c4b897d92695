import { bundle, nodeModule, sourceAt } from './bundle.ts';

// The build replaces this module with one that contains the texts, so a user of the package needs no esbuild.

const scripts = new Map<string, string>();

/** The script of the banner for pages of a demo. */
export function bannerScript(): string {
  return script('client/banner.ts');
}

/** The script of the page of traces. */
export function traceScript(): string {
  return script('client/trace.ts');
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

/**
 * A style sheet with the font of the pages. It is part of the text, as all mounts serve texts, and so the first paint has it:
 * a page whose font arrives later moves.
 */
export function fontStyle(): string {
  const known = scripts.get('font');
  if (known !== undefined) return known;
  const program = sourceAt('../../../tools/inter-font.ts');
  const { execFileSync } = nodeModule('node:child_process');
  const font = execFileSync(process.execPath, [program], { encoding: 'utf8' });
  const style = `@font-face{font-family:Inter;font-weight:400 700;font-display:swap;src:url(data:font/woff2;base64,${font})format("woff2")}`;
  scripts.set('font', style);
  return style;
}

function text(path: string): string {
  return nodeModule('node:fs').readFileSync(new URL(path, import.meta.url), 'utf8');
}
