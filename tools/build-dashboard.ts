/**
 * Replaces the dashboard's assets module in a folder of compiled modules (default: `dist`) with one that contains the
 * bundled script and the style sheet.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dashboardScript, pageStyle } from '../src/dashboard/assets.ts';

/** The source of the module that replaces `src/dashboard/assets.ts`. */
export function assetsModule(): string {
  return [
    `const script = ${JSON.stringify(dashboardScript())};`,
    `const style = ${JSON.stringify(pageStyle())};`,
    'export const dashboardScript = () => script;',
    'export const pageStyle = () => style;',
    '',
  ].join('\n');
}

if (import.meta.main) {
  const folder = join(process.argv[2] ?? join(import.meta.dirname, '../dist'), 'dashboard');
  writeFileSync(join(folder, 'assets.js'), assetsModule());
  rmSync(join(folder, 'assets.js.map'), { force: true });
}
