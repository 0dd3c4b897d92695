import { expect, test } from 'vitest';
import { installed, survivorsIn, type ProjectCopy } from './installed.ts';

const serial = '--fileParallelism=false';

/** Runs a command five times, with test files beside each other or one after the other. Returns what `read` makes of each run. */
async function fiveRuns<Found>(
  read: (project: ProjectCopy, out: string) => Found,
  ...command: readonly string[]
): Promise<Found[]> {
  const copy = await installed('test/projects/suite-34');
  const project = copy('suite');
  const found: Found[] = [];
  for (const flags of [[], [], [], [serial], [serial]]) {
    const { code, out, err } = await project.run(...command, '--', 'vitest', 'run', ...flags);
    expect(code, out + err).toBeLessThan(2);
    found.push(read(project, out));
  }
  return found;
}

const options = { tags: 'long', timeout: 3_600_000 };

test('mutate reports the same in five runs', options, async () => {
  const [first, ...others] = await fiveRuns(
    (project) => survivorsIn(project, 'mutants.json'),
    'mutate',
    '--out',
    'mutants.json',
  );
  // Not all fields of its pages are asserted.
  expect(first!.length).toBeGreaterThan(20);
  for (const survivors of others) expect(survivors).toEqual(first);
});

test('chaos finds nothing in five runs of pages that tell what went wrong', options, async () => {
  const found = await fiveRuns(
    (_, out) => out.split('\n').filter((line) => line.startsWith('✗ ')),
    'chaos',
  );
  expect(found.flat()).toEqual([]);
});
