import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { parseAst } from 'rollup/parseAst';
import type { MarkdownRenderer } from 'vitepress';
import { blocksOf, isCode, pageModules, placeOf } from '../../tools/code-blocks.ts';

const repository = 'https://github.com/backlot-dev/backlot';

/**
 * Puts beside each block of TypeScript what a page needs to run it (see `theme/run-buttons.ts`), and below each other block of
 * code where a test runs it.
 *
 * @throws Error for a block that neither a page nor a test runs
 */
export function withScripts(markdown: MarkdownRenderer): void {
  const fence = markdown.renderer.rules.fence!;
  markdown.renderer.rules.fence = (tokens, at, options, env, self) => {
    const { content = '', info = '' } = tokens[at] ?? {};
    const block = fence(tokens, at, options, env, self);
    const code = /^ts$/.test(info) ? runnable(content) : undefined;
    // What only exports functions is a file that other blocks import.
    if (code === undefined || !/^show\(|^try |^return \{ default:/m.test(code))
      return `${block}${placeBelow((env as { relativePath: string }).relativePath, content)}`;
    const kind = /^export default extendApi|^export default defineApi/m.test(content)
      ? 'definition'
      : 'script';
    return `<div class="${kind}" data-code="${markdown.utils.escapeHtml(code)}">${block}</div>`;
  };
}

/** Returns a line that says where a block runs that no page runs. Empty for those that are no code, and for commands of curl. */
function placeBelow(page: string, content: string): string {
  const block = blocksOf(`docs/${page}`).find(({ code }) => code === content);
  if (block === undefined || !isCode(block) || /^\$ curl /m.test(content)) return '';
  const place = placeOf(block);
  if (place === undefined) throw new Error(`No test runs ${block.name}`);
  const { file, title } = place;
  const said = file.startsWith('src/') ? 'Part of' : 'A test runs it in';
  return `<p class="place">${said} <a href="${repository}/blob/main/${file}">${title}</a></p>`;
}

/** Returns the body of an asynchronous function, if a page can run a block. Undefined for the parts of an app. */
function runnable(block: string): string | undefined {
  try {
    return bodyOf(block);
  } catch (error) {
    if (error instanceof NotInPages) return undefined;
    throw error;
  }
}

class NotInPages extends Error {}

/**
 * Returns a block as the body of an asynchronous function of `load`, which imports a module, `show`, which receives the value of
 * each statement, `fetch` and `console`. It returns the exports of the block.
 */
function bodyOf(block: string): string {
  const { code } = transformSync(block, { loader: 'ts', target: 'es2022', legalComments: 'none' });
  const lines: string[] = [];
  const exported: string[] = [];
  let hasImports = false;
  for (const node of parseAst(code).body as unknown as Statement[]) {
    const text = (part: Place): string => code.slice(part.start, part.end);
    if (node.type === 'ImportDeclaration') {
      hasImports = true;
      lines.push(importOf(node));
    } else if (node.type === 'ExportDefaultDeclaration') {
      lines.push(`const byDefault = ${text(node.declaration!)};`);
      exported.push('default: byDefault');
    } else if (node.type === 'ExportNamedDeclaration') {
      if (node.declaration) lines.push(text(node.declaration));
      const names = node.specifiers?.map(({ local }) => local.name) ?? [];
      const { id, declarations = [{ id }] } = node.declaration ?? {};
      exported.push(...names, ...declarations.flatMap((one) => one.id?.name ?? []));
    } else if (node.type === 'ExpressionStatement') {
      lines.push(`show(await (${text(node.expression!)}));`);
    } else {
      lines.push(text(node));
    }
  }
  if (!hasImports) throw new NotInPages();
  return `${lines.join('\n')}\nreturn { ${exported.join(', ')} };`;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** A function or a class; of variables, each is one. */
interface Named {
  readonly id?: { readonly name: string } | undefined;
}

interface Statement extends Place {
  readonly type: string;
  readonly declaration?: (Place & Named & { readonly declarations?: readonly Named[] }) | null;
  readonly expression?: Place;
  readonly source?: { readonly value: string };
  readonly specifiers?: ReadonlyArray<{
    readonly local: { readonly name: string };
    readonly imported?: { readonly name: string };
  }>;
}

/** `import { a as b } from 'x'` → `const { a: b } = await load("x");` */
function importOf({ source, specifiers = [] }: Statement): string {
  const from = source?.value ?? '';
  const names = specifiers.map(
    ({ imported, local }) => `${imported?.name ?? 'default'}: ${local.name}`,
  );
  const isFile = from.startsWith('./');
  if (!isFile && !pageModules.includes(from)) throw new NotInPages();
  const module = isFile
    ? `await (async () => {\n${bodyOf(fileOf(from.slice('./'.length)))}\n})()`
    : `await load(${JSON.stringify(from)})`;
  return `const { ${names.join(', ')} } = ${module};`;
}

/** Returns the first block that begins with the name of a file in a comment. @throws NotInPages */
function fileOf(name: string): string {
  for (const page of globSync('*.md', { cwd: docs }).toSorted()) {
    const text = readFileSync(join(docs, page), 'utf8');
    const found = text.split('```').find((part) => part.startsWith(`ts\n// ${name}\n`));
    if (found !== undefined) return found.slice('ts\n'.length);
  }
  throw new NotInPages();
}

const docs = join(import.meta.dirname, '..');
