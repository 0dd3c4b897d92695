import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { documents, textOf } from './documents.ts';

const root = join(import.meta.dirname, '..');

/** A block of code of a document. */
export interface CodeBlock {
  /** Its document, its heading and its language: `tools-vite-with-a-server.js`, `control-api-playwright-2.spec.ts`. */
  readonly name: string;
  readonly language: string;
  /** Whether it says that no page runs it: "ts test". */
  readonly isForTests: boolean;
  readonly code: string;
}

/** Where a block runs that no page can run, and the file of the test that runs it. */
export interface Place {
  readonly title: string;
  readonly file: string;
}

/**
 * Writes the code of README.md and the pages of the site into a folder, each block as it stands but for the ports. Those of
 * shells are written, too, but excerpts of the sources of this project are not.
 */
export function writeCodeBlocks(folder: string): void {
  for (const document of [...documents, 'docs/reference.md']) {
    for (const block of blocksOf(document)) {
      const { name, code } = block;
      if (!isCode(block) || sourceOf(block) !== undefined) continue;
      writeFileSync(join(folder, name), isShell(block) ? code : withFreePorts(code));
      // Other blocks import it. Of several definitions, the first has the rule that a test shows.
      const [, file] = /^\/\/ ((?:backlot\.config|client)\.ts)\n/.exec(code) ?? [];
      if (file !== undefined && !existsSync(join(folder, file)))
        writeFileSync(join(folder, file), code);
    }
  }
}

/** Whether a block is to be run: TypeScript, JavaScript, and commands of a shell. */
export function isCode({ language }: Pick<CodeBlock, 'language'>): boolean {
  return /^([jt]sx?|sh|console)$/.test(language);
}

function isShell({ language }: CodeBlock): boolean {
  return ['sh', 'console'].includes(language);
}

/** What blocks may import to run in a page of the site. */
export const pageModules: readonly string[] = ['backlot', 'vitest'].concat(
  ['browser', 'client', 'define', 'fetch', 'node', 'testing', 'vitest'].map(
    (name) => `backlot/${name}`,
  ),
);

/** Whether a block is code that no page of the site can run: so a test must. */
export function needsTest(block: CodeBlock): boolean {
  const { code, language, isForTests } = block;
  if (!isCode(block) || /^\$ curl /m.test(code)) return false;
  const imported = Array.from(
    code.matchAll(/^(?:import|\}) .*from '([^']+)';$/gm),
    ([, one]) => one,
  );
  return isForTests || language !== 'ts' || imported.length === 0 || !imported.every(isOfPage);
}

function isOfPage(name = ''): boolean {
  return name.startsWith('./') || pageModules.includes(name);
}

/** Headings, and blocks of any language. */
const parts = /^#+ (.*)$|^```(\w*)(?: (\w+))?\n([^]*?)^```$/gm;

/** Returns the blocks of a document, in its order. */
export function blocksOf(document: string): readonly CodeBlock[] {
  const blocks = new Map<string, CodeBlock>();
  let heading = '';
  for (const part of textOf(document).matchAll(parts)) {
    const [, title, language = '', place, code = ''] = part;
    heading = title ?? heading;
    if (title !== undefined) continue;
    const path = document.replace(/^docs\//, '').replace(/\.md$/, '');
    const words = `${path} ${heading}`.toLowerCase().match(/\w+/g) ?? [];
    const end = `${kindOf(code)}.${language}`;
    let start = words.join('-');
    for (let count = 2; blocks.has(start + end); count++) start = `${words.join('-')}-${count}`;
    const name = start + end;
    blocks.set(name, { name, language, isForTests: place === 'test', code });
  }
  return [...blocks.values()];
}

/** The ending by which a test runner finds its tests. */
function kindOf(code: string): string {
  if (!/^test\(/m.test(code)) return '';
  return code.includes("from 'backlot/playwright'") ? '.spec' : '.test';
}

/** Other programs may use the ports of the docs. */
function withFreePorts(code: string): string {
  return code
    .replaceAll(/\b(?=[34]000\b)(?<=:|--port )/g, '1')
    .replaceAll('npx backlot ', 'npx backlot --port 14000 ');
}

/** Where blocks run that a file of `test/projects` names, by the project or the name of the file. */
const titles: Readonly<Record<string, string>> = {
  'docs.test.js': 'Node.js',
  'fetch-hosts': 'Cloudflare Workers',
  'shell.test.js': 'a shell',
  'vite.config.js': 'Vite',
  'playwright.config.ts': 'Playwright',
  'playwright.coverage.ts': 'Playwright',
  'vitest.config.ts': 'vitest',
  'vitest.coverage.ts': 'vitest',
  'pages.test.ts': 'vitest in Chromium',
  'main.ts': 'a page that Vite and esbuild build',
  init: 'a new project',
  jest: 'Jest',
  next: 'Next.js',
  'node-20': 'Node.js 20',
  'node-server': 'Node.js without MSW',
  storybook: 'Storybook',
  suite: 'vitest',
};

/** Returns where a block runs that no page can run. Undefined if no test runs it. */
export function placeOf(block: CodeBlock): Place | undefined {
  const { name, code } = block;
  const source = sourceOf(block);
  if (source !== undefined) return { title: source, file: source };
  const file = namedBy(name) ?? namedBy(/^\/\/ (\S+)\n/.exec(code)?.[1]) ?? fileOf(block);
  if (file === undefined) return undefined;
  const title = titles[file.split('/')[2] ?? ''] ?? titles[basename(file)];
  if (title === undefined) throw new Error(`The place of ${file} has no title`);
  return { title, file };
}

/** Returns the file of the source that a block is an excerpt of. */
export function sourceOf({ code }: Pick<CodeBlock, 'code'>): string | undefined {
  return /^\/\/ (src\/\S+)\n/.exec(code)?.[1];
}

/** Returns the file that names a block. */
function namedBy(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const files = globSync('test/projects/**/*.{js,jsx,ts}', {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  });
  return files
    .toSorted()
    .find((file) => readFileSync(join(root, file), 'utf8').includes(`blocks/${name}`));
}

/** Returns the file that runs all blocks of a kind. */
function fileOf({ name, code, language }: CodeBlock): string | undefined {
  const docs = 'test/projects/docs';
  if (name.endsWith('.spec.ts')) return `${docs}/playwright.config.ts`;
  if (name.endsWith('.test.ts')) return `${docs}/vitest.config.ts`;
  if (language === 'ts' && /from 'backlot\/(node|define|express|fetch)'/.test(code))
    return `${docs}/docs.test.js`;
  return undefined;
}
