import { readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { branches, makeRepository } from '../projects/suite-runners/repository.ts';
import { runProgramWith } from '../support/program.ts';
import { temporaryFolder } from '../support/suite.ts';
import { root } from '../support/tree.ts';

test.each(Object.entries(branches))(
  'on a branch that changes %s, vitest runs what has changed',
  async (_, { change, tried }) => {
    const top = realpathSync(temporaryFolder());
    makeRepository(top);
    symlinkSync(join(root, 'node_modules'), join(top, 'node_modules'));
    change(top);
    const app = join(top, 'packages/app');
    const flags = ['--since', 'main', '--openapi', 'openapi.json', '--out', 'a.report.json'];
    const { code, err } = await runProgramWith({}, app, 'mutate', ...flags, '--', 'vitest', 'run');
    const report = readFileSync(join(app, 'a.report.json'), 'utf8');
    const { files } = JSON.parse(report) as { readonly files: object };
    expect(Object.keys(files).toSorted(), err).toEqual(tried);
    expect(code).toBe(tried.length > 0 ? 1 : 0);
  },
);
