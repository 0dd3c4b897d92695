import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import subsetFont from 'subset-font';

/**
 * Prints the font of the studio in Base64: Inter (https://rsms.me/inter/) with Latin-1, Latin Extended-A and the signs of the
 * studio, its weights, and figures of one width. It is a program of its own, because a subset is made asynchronously and pages
 * are served synchronously.
 */
const path = createRequire(import.meta.url).resolve('inter-ui/variable/InterVariable.woff2');
const signs = 'ȘșȚț–—‘’‚“”„•…€←→↑↓⌘−≤≥▶▲▼●○✓✗';
const font = await subsetFont(readFileSync(path), range(0x20, 0x7e) + range(0xa0, 0x17f) + signs, {
  targetFormat: 'woff2',
  variationAxes: { wght: { min: 400, max: 700 }, opsz: 14 },
  keepFeatures: ['kern', 'mark', 'mkmk', 'ccmp', 'locl', 'tnum'],
});
process.stdout.write(font.toString('base64'));

function range(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)).join(
    '',
  );
}
