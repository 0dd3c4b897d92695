import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** What `write-reference.ts` writes for the site. */
const written: ReadonlySet<string> = new Set(['commands.md', 'reference.md']);

/** README.md, the documents in `docs/`, and the skill for agents. */
export const documents: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md') && !written.has(name))
    .map((name) => `docs/${name}`),
  ...globSync('docs/skill/**/*.md', { cwd: root }).toSorted(),
];

/** @param document path from the root: `docs/scenarios.md` */
export function textOf(document: string): string {
  return readFileSync(join(root, document), 'utf8');
}
