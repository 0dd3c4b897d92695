/**
 * Writes the package.json that is packed, and keeps the other: `npm pack` runs it before, and with `--restore` after. Users do
 * not have the tools that the scripts run.
 */
import { copyFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packedManifest } from './packed.ts';
import { root } from './run.ts';

const file = join(root, 'package.json');
const kept = join(root, 'node_modules/.cache/package.json');

if (process.argv.includes('--restore')) {
  renameSync(kept, file);
} else {
  const text = packedManifest();
  mkdirSync(dirname(kept), { recursive: true });
  copyFileSync(file, kept);
  writeFileSync(file, text);
}
