/** Prints the lines of `src`, of each room of it, and of `test` and `tools`. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rooms } from '../test/project/rooms.ts';
import { root } from './run.ts';

/** Returns the number of lines of the files in folders. */
function linesIn(...folders: string[]): number {
  const patterns = folders.map((folder) => `${folder}/**/*.{ts,tsx,css}`);
  const paths = globSync(patterns, { cwd: root, exclude: ['test/projects/**', 'test/tools/**'] });
  const counts = paths.map((path) => readFileSync(join(root, path), 'utf8').split('\n').length - 1);
  return counts.reduce((sum, one) => sum + one, 0);
}

const folders = Object.keys(rooms).map((room) => `src/${room}`);
const print = (folder: string, lines: number): void =>
  console.log(`${String(lines).padStart(7)}  ${folder}`);

for (const folder of ['src', 'test', 'tools']) print(folder, linesIn(folder));
for (const folder of folders) {
  const inner = folders.filter((other) => other.startsWith(`${folder}/`));
  const lines = linesIn(folder) - (inner.length === 0 ? 0 : linesIn(...inner));
  // Rooms of one file stand in `src` itself.
  if (lines > 0) print(folder, lines);
}
