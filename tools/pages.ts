/**
 * Builds the pages of `/_backlot/` into JSON files, which modules import as `#pages/…`: below `dist`, or the folder that the
 * variable `OUT_DIR` names. Beside them is the script of the pages of a suite that is run again and again.
 */
import { globSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type InlineConfig, type Rolldown } from 'vite';
import { fontStyle } from './inter-font.ts';
import { root } from './run.ts';

const folder = join(process.env['OUT_DIR'] ?? join(root, 'dist'), 'pages');

if (isStale()) await buildPages();

/** Whether a source is newer than the pages that were built of it. */
function isStale(): boolean {
  const built = statSync(join(folder, 'pages.json'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = ['src/**/*.{ts,tsx,css}', 'tools/{pages,inter-font}.ts'];
  return globSync(sources, { cwd: root }).some(
    (path) => statSync(join(root, path)).mtimeMs > built,
  );
}

async function buildPages(): Promise<void> {
  const [studio, style, page, banner, trace, suite, inter] = await Promise.all([
    filesOf({ configFile: join(root, 'src/studio/vite.config.ts') }),
    styleOf('src/studio/studio.css'),
    styleOf('src/engine/dashboard/page.css'),
    scriptOf('src/studio/pages/banner.ts'),
    scriptOf('src/studio/pages/trace.ts'),
    scriptOf('src/suite/page-script.ts'),
    fontStyle(),
  ]);
  mkdirSync(folder, { recursive: true });
  // The page of traces contains it, and tools show files with lines of this length.
  save('studio-style.json', style.split(/(?<=\})/));
  writeFileSync(join(folder, 'suite.js'), suite);
  save('pages.json', {
    ...studio,
    'studio.css': style,
    'page.css': page,
    'inter.css': inter,
    'banner.js': banner,
    'trace.js': trace,
  });
}

/** Another process may read the file at the same time. */
function save(name: string, content: Readonly<Record<string, string>> | readonly string[]): void {
  const path = join(folder, name);
  writeFileSync(`${path}-${process.pid}`, JSON.stringify(content, null, 1));
  renameSync(`${path}-${process.pid}`, path);
}

/** Returns the texts of built files by their names. */
async function filesOf(config: InlineConfig): Promise<Record<string, string>> {
  const built = (await build({ root, ...config })) as Rolldown.RolldownOutput;
  return Object.fromEntries(
    built.output.map((file) => [
      file.fileName,
      file.type === 'chunk' ? file.code : String(file.source),
    ]),
  );
}

/** Returns a script without imports, for a page that loads no modules. */
async function scriptOf(entry: string): Promise<string> {
  const output = { format: 'iife', entryFileNames: 'script.js' } as const;
  const files = await filesOf(inlined({ input: entry, output }));
  return files['script.js'] ?? '';
}

/** Returns a minified style sheet. */
async function styleOf(input: string): Promise<string> {
  const output = { assetFileNames: 'style.css' };
  const files = await filesOf(inlined({ input, output }));
  return files['style.css'] ?? '';
}

function inlined(rolldownOptions: Rolldown.RolldownOptions): InlineConfig {
  const options = {
    target: 'es2023',
    // The first that has `light-dark()`.
    cssTarget: 'safari17.5',
    modulePreload: false,
    write: false,
    rolldownOptions,
  } as const;
  return { configFile: false, logLevel: 'warn', build: options };
}
