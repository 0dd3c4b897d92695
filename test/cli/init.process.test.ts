import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { naming, project, todoConfig } from './init.ts';
import { runProgramIn } from '../support/program.ts';

test('init --skill copies a skill that says its version, and keeps it the next time', async () => {
  const folder = project({ ...naming('vitest'), '.claude/settings.json': '{}' });
  const { code, out } = await runProgramIn(folder, 'init', '--skill');
  expect(code).toBe(0);
  expect(out).toContain('wrote   .claude/skills/backlot/SKILL.md');
  const skill = join(folder, '.claude/skills/backlot');
  const text = readFileSync(join(skill, 'SKILL.md'), 'utf8');
  expect(text).toMatch(
    /^---\nmetadata:\n {2}version: '\d.*'\nname: backlot\ndescription: .+\n---\n/,
  );
  // 1,500 tokens of four bytes.
  expect(Buffer.byteLength(text)).toBeLessThan(6000);
  const linked = [...text.matchAll(/\]\((.+?)\)/g)].map(([, path = '']) => path);
  expect(linked.map((path) => path.replace('references/', '')).toSorted()).toEqual(
    readdirSync(join(skill, 'references')).toSorted(),
  );
  expect((await runProgramIn(folder, 'init', '--skill')).out).toContain(
    'kept    .claude/skills/backlot/SKILL.md',
  );
});

const storeConfig = `import { extendApi, storeApi } from 'backlot/define';
export default extendApi(storeApi, { auth: ({ request }) => request.headers['x-key'] === 'a' });`;

test.each([
  ['of its own', todoConfig(''), 'GET /api/todos/', 200],
  ['that requires a key', todoConfig('auth: () => false,'), 'GET /api/todos/', 401],
  ['of the store with `auth`', storeConfig, 'GET /api/promotions', 401],
])('beside an API %s, init writes a test that passes', async (_, config, name, status) => {
  const folder = project({ ...naming(), 'backlot.config.mjs': config });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(dirname(dirname(dirname(inject('program')))), join(folder, 'node_modules/backlot'));
  const { code, out, err } = await runProgramIn(folder, 'init');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain(`a test: ${name} returns ${status}`);
  const text = readFileSync(join(folder, 'backlot.test.mjs'), 'utf8');
  expect(text).toContain(`'${name}', { times: 1, status: ${status} }`);
  const { stdout } = spawnSync(process.execPath, ['--test', 'backlot.test.mjs'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(stdout).toMatch(/pass 1\n/);
});
