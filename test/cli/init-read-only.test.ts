import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommandIn, type Ended } from '../support/command.ts';
import { naming, project } from './init.ts';

/** The modes of files do not hold for root, so that the command has the rights of another user meanwhile. */
async function initWithoutRights(folder: string): Promise<Ended> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    return await runCommandIn(folder, 'init');
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

const all = (folder: string): string[] =>
  readdirSync(folder, { recursive: true }).map(String).toSorted();

test.each([
  ['.', 0o555, 'backlot.config.mjs'],
  ['package.json', 0o444, 'package.json'],
  ['test', 0o555, 'test/backlot.test.mjs'],
  ['AGENTS.md', 0o444, 'AGENTS.md'],
])('init writes nothing and prints one line if %s may only be read', async (path, mode, named) => {
  const folder = project({ ...naming('vitest'), 'AGENTS.md': 'Be kind.\n', 'test/a.js': '' });
  for (const one of ['.', 'test', 'package.json', 'AGENTS.md']) chmodSync(join(folder, one), 0o777);
  chmodSync(join(folder, path), mode);
  const before = all(folder);
  const { code, out, err } = await initWithoutRights(folder);
  expect({ code, out, err }).toEqual({
    code: 2,
    out: '',
    err: `backlot: init cannot write ${named}: EACCES: permission denied. It wrote nothing. Permit this user to write it, or see the files by --dry-run.\n`,
  });
  expect(all(folder)).toEqual(before);
  expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe(naming('vitest')['package.json']);
  expect(readFileSync(join(folder, 'AGENTS.md'), 'utf8')).toBe('Be kind.\n');
});
