import { globSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runDownload } from './run-download.ts';

/** A size of the package, and the most that it may be. */
export interface Size {
  readonly what: string;
  /** In bytes, or a number of things. */
  readonly value: number;
  readonly limit: number;
  /** What values are divided by and shown in (default: they are numbers of things). */
  readonly unit?: keyof typeof units;
  /** What it consists of: part of the error if it is too large. */
  readonly parts?: string;
}

const units = { kB: 1e3, MB: 1e6 };

/** Installs the tarball alone into an empty folder, as `npm install backlot` does. */
export async function installedSizes(tarball: string, folder: string): Promise<Size[]> {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  await runDownload(
    'npm',
    ['install', '--no-audit', '--no-fund', '--loglevel=error', tarball],
    folder,
  );
  const cwd = join(folder, 'node_modules');
  const stats = globSync('**', { cwd })
    .map((path) => statSync(join(cwd, path)))
    .filter((one) => one.isFile());
  return [
    { what: 'packed', value: statSync(tarball).size, limit: 2_000_000, unit: 'MB' },
    {
      what: 'installed, on the disk',
      value: stats.reduce((sum, { blocks }) => sum + blocks * 512, 0),
      limit: 16_400_000,
      unit: 'MB',
    },
    { what: 'packages', value: globSync(['*', '@*/*'], { cwd }).length, limit: 2 },
  ];
}

/**
 * Prints sizes as a table of Markdown, for the notes of a release.
 *
 * @throws Error that lists what is too large
 */
export function printSizes(sizes: readonly Size[]): void {
  console.log('| size | now | limit |\n| --- | --- | --- |');
  for (const size of sizes)
    console.log(`| ${size.what} | ${shown(size, size.value)} | ${shown(size, size.limit)} |`);
  // An unknown value is not below its limit.
  const tooLarge = sizes.filter(({ value, limit }) => !(value <= limit));
  if (tooLarge.length === 0) return;
  throw new Error(
    tooLarge
      .map(({ what, value, limit, parts = '' }) =>
        `${what}: ${value} must be at most ${limit}. ${parts}`.trimEnd(),
      )
      .join('\n'),
  );
}

function shown({ unit }: Size, value: number): string {
  if (unit === undefined) return value.toLocaleString('en');
  return `${(value / units[unit]).toFixed(1)} ${unit}`;
}
