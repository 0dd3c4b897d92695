import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFiles } from './fixtures/files.ts';

// Writes the fixtures and the default scenario: `npm run fixtures`.
const root = join(import.meta.dirname, '..');
for (const [path, text] of makeFiles()) {
  const target = join(root, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}
