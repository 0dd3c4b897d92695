import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a folder with a definition for one test. */
export function folder(text: string, name = 'backlot.config.ts'): { path: string; file: string } {
  const path = mkdtempSync(join(tmpdir(), 'backlot-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  const file = join(path, name);
  writeFileSync(file, text);
  return { path, file };
}

/** The text of a definition that extends the store. */
export const extended = (more: string): string =>
  `import { extendApi, fault, field, resource, storeApi } from 'backlot/define';
  export default extendApi(storeApi, { ${more} });`;
