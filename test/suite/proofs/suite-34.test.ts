import { expect, test } from 'vitest';
import { installed } from './installed.ts';

const serial = '--fileParallelism=false';

test.each(['mutate', 'chaos'])(
  '%s finds the same in the same order in five runs, with files beside each other or one after the other',
  { tags: 'long', timeout: 3_600_000 },
  async (command) => {
    const copy = await installed('test/projects/suite-34');
    const project = copy('suite');
    const found: string[][] = [];
    for (const flags of [[], [], [], [serial], [serial]]) {
      const { code, out, err } = await project.run(command, '--', 'vitest', 'run', ...flags);
      expect(code, out + err).toBeLessThan(2);
      found.push(out.split('\n').filter((line) => line.startsWith('✗ ')));
    }
    for (const findings of found) expect(findings).toEqual(found[0]);
    // Its pages tell what went wrong, and not all of their fields are asserted.
    if (command === 'chaos') expect(found[0]).toEqual([]);
    else expect(found[0]?.length).toBeGreaterThan(20);
  },
);
