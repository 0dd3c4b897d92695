import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a project of these files for one test. */
export function project(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-init-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** A `package.json` that names these packages. */
export function naming(...packages: string[]): Record<string, string> {
  const devDependencies = Object.fromEntries(packages.map((name) => [name, '*']));
  return { 'package.json': JSON.stringify({ name: 'shop', devDependencies }, null, 2) };
}

/** The definition of an API that is no store, whose first list has a path of its own. */
export const todoConfig = (
  more: string,
): string => `import { defineApi, field, resource } from 'backlot/define';
export default defineApi({
  name: 'todo',
  path: '/v2',
  resources: { todos: resource({ singular: 'todo', fields: { title: field.text() } }) },
  ${more}
});`;
