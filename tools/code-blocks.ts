import { existsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { documents, textOf } from './readme-blocks.ts';

/**
 * Writes the TypeScript and JavaScript of README.md and `docs/` as modules into a folder, each block as it stands but for the
 * ports. A module is named after its document and its heading: `tools-vite-with-a-server.js`, `control-api-playwright-2.ts`.
 */
export function writeCodeBlocks(folder: string): void {
  // That of the architecture shows the sources of this project.
  for (const document of documents.filter((name) => name !== 'docs/architecture.md')) {
    for (const [name, code] of blocksOf(document)) {
      writeFileSync(join(folder, name), code);
      // Other blocks import it. Of several definitions, the first has the rule that a test shows.
      const [, file] = /^\/\/ ((?:backlot\.config|client)\.ts)\n/.exec(code) ?? [];
      if (file !== undefined && !existsSync(join(folder, file)))
        writeFileSync(join(folder, file), code);
    }
  }
}

/** Headings, and blocks of any language. */
const parts = /^#+ (.*)$|^```(\w*)\n([^]*?)^```$/gm;

function blocksOf(document: string): Map<string, string> {
  const blocks = new Map<string, string>();
  let heading = '';
  for (const [, title, language = '', code = ''] of textOf(document).matchAll(parts)) {
    heading = title ?? heading;
    if (!/^[jt]sx?$/.test(language)) continue;
    const words = `${basename(document, '.md')} ${heading}`.toLowerCase().match(/\w+/g) ?? [];
    const end = `${kindOf(code)}.${language}`;
    let name = words.join('-');
    for (let count = 2; blocks.has(name + end); count++) name = `${words.join('-')}-${count}`;
    blocks.set(name + end, withFreePorts(code));
  }
  return blocks;
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
