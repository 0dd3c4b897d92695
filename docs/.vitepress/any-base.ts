import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Where VitePress believes the site to be. All pages are in one folder, so what they link to is beside them. */
export const builtBase = '/__site__/';

/** Sets the path of the site before any module of a page runs. */
export const baseScript = "window.__SITE__ = new URL('.', document.baseURI).pathname;";

/** Has scripts and style sheets find the site where it is: VitePress writes the path of the site into them. */
export const inScripts: Plugin = {
  name: 'any base',
  enforce: 'post',
  apply: (_, { isSsrBuild }) => isSsrBuild !== true,
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = withLiterals(file.code, this.parse(file.code));
      else if (file.fileName.endsWith('.css'))
        file.source = String(file.source).replaceAll(`${builtBase}assets/`, './');
    }
  },
};

/** Replaces the base in all text literals of a module by the variable that has the path of the site. */
function withLiterals(code: string, tree: unknown): string {
  const found: Literal[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if (isLiteral(node)) found.push(node);
    for (const part of Object.values(node)) visit(part);
  };
  visit(tree);
  return found.reduceRight((text, { start, end, value }) => {
    const parts = value.split(builtBase).map((part) => JSON.stringify(part));
    return `${text.slice(0, start)}(${parts.join('+__SITE__+')})${text.slice(end)}`;
  }, code);
}

interface Literal {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

function isLiteral(node: object): node is Literal {
  const { type, value } = node as { readonly type?: unknown; readonly value?: unknown };
  return type === 'Literal' && typeof value === 'string' && value.includes(builtBase);
}

/** The same for pages, which are not part of the bundle. @throws Error if a file still names the base */
export function inPages(folder: string): void {
  for (const name of globSync('**/*.{html,js,css}', { cwd: folder })) {
    const path = join(folder, name);
    const text = readFileSync(path, 'utf8');
    const moved = text
      .replaceAll(`="${builtBase}`, '="./')
      .replaceAll(String.raw`\"base\":\"${builtBase}\"`, String.raw`\"base\":\""+__SITE__+"\"`);
    if (moved.includes(builtBase)) throw new Error(`${name} has a path that is not relative`);
    if (moved !== text) writeFileSync(path, moved);
  }
}

/** Has a page that a host sends for any missing address below the path of the site find the site from there. */
export function withBaseElement(file: string, path: string): void {
  const script = `if (location.pathname.startsWith('${path}')) document.head.append(Object.assign(document.createElement('base'), { href: '${path}' }));`;
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('<head>', `<head>\n    <script>${script}</script>`),
  );
}
