import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './run.ts';

const signs = 'ȘșȚț–—‘’‚“”„•…€←→↑↓⌘−≤≥▶▲▼●○✓✗';
const full = readFileSync(
  createRequire(import.meta.url).resolve('inter-ui/variable/InterVariable.woff2'),
);
const key = createHash('sha256')
  .update(full)
  .update(readFileSync(import.meta.filename))
  .digest('hex');
const cache = join(root, 'node_modules/.cache/inter');
const kept = join(cache, key);

/**
 * Returns a style sheet with the font of the pages. It is part of the text, so the first paint has it: a page whose font
 * arrives later moves.
 */
export async function fontStyle(): Promise<string> {
  const font = existsSync(kept) ? readFileSync(kept, 'utf8') : await keep();
  return `@font-face{font-family:Inter;font-weight:400 700;font-display:swap;src:url(data:font/woff2;base64,${font})format("woff2")}`;
}

/**
 * Makes the font in Base64: Inter (https://rsms.me/inter/) with Latin-1, Latin Extended-A and the signs of the studio, its
 * weights, and figures of one width. It is kept, because making it takes seconds.
 */
async function keep(): Promise<string> {
  const { default: subsetFont } = await import('subset-font');
  const characters = range(0x20, 0x7e) + range(0xa0, 0x17f) + signs;
  const font = await subsetFont(full, characters, {
    targetFormat: 'woff2',
    variationAxes: { wght: { min: 400, max: 700 }, opsz: 14 },
    keepFeatures: ['kern', 'mark', 'mkmk', 'ccmp', 'locl', 'tnum'],
  });
  const text = font.toString('base64');
  mkdirSync(cache, { recursive: true });
  // Another process may read it at the same time.
  writeFileSync(`${kept}-${process.pid}`, text);
  renameSync(`${kept}-${process.pid}`, kept);
  return text;
}

function range(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)).join(
    '',
  );
}
