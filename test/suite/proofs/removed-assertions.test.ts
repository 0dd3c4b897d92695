import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installed, mapTwo, survivorsIn, type ProjectCopy } from './installed.ts';

/** A line of a test that asserts something. */
interface Assertion {
  /** Relative to the project. */
  readonly file: string;
  readonly test: string;
  /** The lines of the file that it takes. */
  readonly from: number;
  readonly to: number;
}

/** Returns the assertions of the test files of a project: statements that begin with `expect`, in the tests that precede them. */
function assertionsIn({ folder }: ProjectCopy): Assertion[] {
  return globSync('test/*.test.jsx', { cwd: folder })
    .toSorted()
    .flatMap((file) => {
      const lines = readFileSync(join(folder, file), 'utf8').split('\n');
      return lines.flatMap((line, from): Assertion[] => {
        if (!/^ +expect\(/.test(line)) return [];
        const title = lines.slice(0, from).findLast((one) => /^ *test\('/.test(one)) ?? '';
        const to = lines.findIndex((one, at) => at >= from && one.endsWith(';'));
        return [{ file, test: /test\('(.*)', /.exec(title)?.[1] ?? '', from, to }];
      });
    });
}

function remove({ folder }: ProjectCopy, { file, from, to }: Assertion): void {
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  writeFileSync(join(folder, file), lines.toSpliced(from, to - from + 1).join('\n'));
}

/** Returns the survivors of one test. */
async function survivors(project: ProjectCopy, { file, test: name }: Assertion): Promise<string[]> {
  const { code, out, err } = await project.run(
    'mutate',
    '--test',
    name,
    '--out',
    'mutants.json',
    '--',
    'vitest',
    'run',
    file,
  );
  expect(code, `${name}\n${out}${err}`).toBeLessThan(2);
  return survivorsIn(project, 'mutants.json');
}

test(
  'mutate names a survivor for 57 of 60 assertions that are removed',
  { tags: 'long', timeout: 3_600_000 },
  async () => {
    const copy = await installed('test/projects/suite-34');
    const whole = copy('whole');
    // The others assert what the test itself has computed.
    const assertions = assertionsIn(whole).filter(
      ({ test: name }) => !name.startsWith('an amount'),
    );
    expect(assertions.length).toBeGreaterThanOrEqual(60);
    const byTest = [
      ...Map.groupBy(assertions, ({ file, test: name }) => `${file} ${name}`).values(),
    ];
    const missed = await mapTwo(byTest, async (all, index) => {
      const before = await survivors(whole, all[0]!);
      const unnoticed: Assertion[] = [];
      for (const [nth, one] of all.entries()) {
        const project = copy(`removed-${index}-${nth}`);
        remove(project, one);
        const after = await survivors(project, one);
        if (!after.some((id) => !before.includes(id))) unnoticed.push(one);
      }
      return unnoticed;
    });
    const texts = missed
      .flat()
      .map(({ file, test: name, from }) => `${file}:${from + 1} '${name}'`);
    expect(texts.length, texts.join('\n')).toBeLessThanOrEqual(assertions.length * 0.05);
  },
);
