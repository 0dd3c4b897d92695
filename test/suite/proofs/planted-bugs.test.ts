import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installed, mapTwo, type ProjectCopy } from './installed.ts';
import { plantedBugs, type PlantedBug } from './planted-bugs.ts';

function plant({ folder }: ProjectCopy, { file, replaced, by }: PlantedBug): void {
  const path = join(folder, file);
  const source = readFileSync(path, 'utf8');
  expect(source.split(replaced), replaced).toHaveLength(2);
  writeFileSync(
    path,
    source.replace(replaced, () => by),
  );
}

test(
  'chaos finds 11 of 12 bugs that are planted in the admin example, and nothing without them',
  { tags: 'long' },
  async () => {
    const copy = await installed('examples/admin');
    const mended = await copy('mended').run('chaos', '--', 'vitest', 'run');
    expect(mended.code, mended.out + mended.err).toBe(0);
    expect(mended.out).toContain(' 0 red,');
    // The other tests of the example notice some of the bugs themselves.
    const found = await mapTwo(plantedBugs, async (bug, index) => {
      const project = copy(`bug-${index}`);
      plant(project, bug);
      const chosen = ['--test', bug.test ?? 'a chosen payment'];
      const { code, out, err } = await project.run('chaos', ...chosen, '--', 'vitest', 'run');
      // 2 would be a suite that fails as it is.
      expect(code, `${bug.name}\n${out}${err}`).toBeLessThan(2);
      return code === 1;
    });
    const missed = plantedBugs.filter((_, index) => !found[index]).map(({ name }) => name);
    expect(plantedBugs).toHaveLength(12);
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(1);
  },
);
