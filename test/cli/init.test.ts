import { readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommandIn } from '../support/command.ts';
import { naming, project, todoConfig } from './init.ts';
import { sample } from '../support/runs.ts';

const written = (out: string): string[] =>
  [...out.matchAll(/^ {2}(?:wrote|changed) +(\S+)/gm)].map(([, path = '']) => path);

test.each(
  sample(
    [
      [['vitest'], {}, ['backlot.config.mjs', 'backlot.test.mjs']],
      [['vitest'], { 'tsconfig.json': '{}' }, ['backlot.config.ts', 'backlot.test.ts']],
      [
        ['vitest', 'typescript'],
        { 'test/a.ts': '' },
        ['backlot.config.ts', 'test/backlot.test.ts'],
      ],
      [
        ['jest', 'typescript'],
        { '__tests__/a.ts': '' },
        ['backlot.config.mjs', 'jest.backlot.config.mjs', '__tests__/backlot.jest.mjs'],
      ],
      [
        ['@playwright/test'],
        { 'e2e/a.js': '' },
        ['backlot.config.mjs', 'playwright.backlot.config.mjs', 'e2e/backlot.spec.mjs'],
      ],
      [[], {}, ['backlot.config.mjs', 'backlot.test.mjs']],
      [
        ['next', 'vitest', 'typescript'],
        { 'src/app/page.tsx': '' },
        ['backlot.config.ts', 'backlot.test.ts', 'src/app/mock/[...path]/route.ts'],
      ],
      [['vite'], { 'index.html': '' }, ['backlot.config.mjs', 'src/mocks.js']],
    ],
    4,
  ),
)('in a project with %j and %j, init writes %j', async (packages, files, expected) => {
  const folder = project({ ...naming(...packages), ...files });
  const { code, out, err } = await runCommandIn(folder, 'init');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(written(out)).toEqual([...expected, 'package.json']);
  for (const path of expected) expect(readFileSync(join(folder, path), 'utf8')).toMatch(/\S/);
});

test('with --dry-run, init prints the files and writes none', async () => {
  const folder = project(naming('vitest', 'typescript'));
  const { out } = await runCommandIn(folder, 'init', '--dry-run', '--api-path', '/api/v1');
  expect(out).toContain('would write  backlot.config.ts');
  expect(out).toContain("    path: '/api/v1',");
  expect(out).toContain("import { createTest } from 'backlot/vitest';");
  expect(readdirSync(folder)).toEqual(['package.json']);
});

test('init keeps what is there, and says so', async () => {
  const manifest =
    '{"name": "shop", "scripts": {"mock": "own"}, "devDependencies": {"vitest": "*"}}';
  const folder = project({
    'package.json': manifest,
    'backlot.config.js': '// own',
    'backlot.test.mjs': '',
  });
  const { code, out } = await runCommandIn(folder, 'init');
  expect(code).toBe(0);
  expect(out).toContain('kept    backlot.config.js  it is there already');
  expect(out).toContain('kept    package.json       it has a script "mock"');
  expect(out).toMatch(/^ *npx backlot  +the shop at/m);
  expect(written(out)).toEqual([]);
  expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe(manifest);
  expect(readFileSync(join(folder, 'backlot.config.js'), 'utf8')).toBe('// own');
});

test.each([
  ['{}', '{\n  "scripts": {\n    "mock": "backlot"\n  }\n}'],
  ['{\n\t"name": "a"\n}\n', '{\n\t"scripts": {\n\t\t"mock": "backlot"\n\t},\n\t"name": "a"\n}\n'],
  [
    '{\n  "wireit": {\n    "scripts": {}\n  }\n}',
    '{\n  "scripts": {\n    "mock": "backlot"\n  },\n  "wireit": {\n    "scripts": {}\n  }\n}',
  ],
  ['{"scripts": {}}', '{"scripts": {\n    "mock": "backlot"\n  }}'],
  [
    '{\n  "scripts": {\n    "a": "b" \n  },\n  "files": ["x"]\n}',
    '{\n  "scripts": {\n    "mock": "backlot",\n    "a": "b" \n  },\n  "files": ["x"]\n}',
  ],
])('init adds one line to %j and leaves all others', async (before, after) => {
  const folder = project({ 'package.json': before });
  await runCommandIn(folder, 'init');
  expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe(after);
});

test('init adds its script to those of the project, whatever else has such a key', async () => {
  const manifest = { wireit: { scripts: {} }, scripts: { a: 'b' } };
  const folder = project({ 'package.json': JSON.stringify(manifest) });
  await runCommandIn(folder, 'init');
  expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).toEqual({
    wireit: { scripts: {} },
    scripts: { mock: 'backlot', a: 'b' },
  });
});

test('init names the commands of the package manager, and the packages that are missing', async () => {
  const folder = project({ ...naming('vitest'), 'pnpm-lock.yaml': '' });
  const { out } = await runCommandIn(folder, 'init');
  expect(out).toContain('pnpm add -D msw');
  expect(out).toContain('pnpm mock');
  expect(out).toContain('pnpm exec vitest run backlot.test.mjs');
});

test.each([
  [{}, 'There is no package.json here. Begin with `npm init -y`.'],
  [{ 'package.json': '{"name": ' }, 'package.json is not JSON: Unexpected end of JSON input.'],
  [
    { 'package.json': '{"scripts": {"test": 1}}' },
    'package.json: scripts.test: Invalid input: expected string, received number.',
  ],
])('in a folder with %j, init says what is wrong', async (files, message) => {
  const folder = project(files);
  const { code, err } = await runCommandIn(folder, 'init');
  expect({ code, err }).toEqual({ code: 2, err: `backlot: ${message}\n` });
  expect(readdirSync(folder)).toEqual(Object.keys(files));
});

test('a definition in TypeScript is a module, whatever type package.json has', async () => {
  const folder = project({
    'package.json': '{"type": "commonjs"}',
    'backlot.config.ts': `import { extendApi, storeApi } from 'backlot/define';
import { path } from './path.ts';
export default extendApi(storeApi, { path });`,
    'path.ts': "export const path: string = '/api/v2';",
  });
  const { out, err } = await runCommandIn(folder, 'openapi');
  expect(err).toBe('');
  expect(JSON.parse(out).paths).toHaveProperty('/api/v2/orders/');
});

test.each(sample(['backlot.config.mjs', 'backlot.test.mjs', 'package.json', 'test'], 2))(
  'init writes nothing outside of the project through the link %s',
  async (path) => {
    const [outside, folder] = [project({ 'a.json': '{}' }), project(naming('vitest'))];
    if (path === 'package.json') {
      rmSync(join(folder, path));
      symlinkSync(join(outside, 'a.json'), join(folder, path));
    } else symlinkSync(path === 'test' ? outside : join(outside, 'new'), join(folder, path));
    const { code, err } = await runCommandIn(folder, 'init');
    expect(readdirSync(outside)).toEqual(['a.json']);
    expect(readFileSync(join(outside, 'a.json'), 'utf8')).toBe('{}');
    if (path === 'test' || path === 'package.json') {
      expect([code, err]).toEqual([2, expect.stringContaining('is a link')]);
      expect(readdirSync(folder).toSorted()).toEqual(
        ['package.json', 'test'].filter((one) => one === 'package.json' || one === path),
      );
    }
  },
);

test.each([
  ['test', { test: '' }, 'test is a file, so init cannot write'],
  ['package.json', { 'package.json/a': '' }, 'package.json is no file'],
])('init says that %s is in its way, and writes nothing', async (_, files, reason) => {
  const folder = project({ ...('test' in files ? naming('vitest') : {}), ...files });
  const before = readdirSync(folder);
  const { code, err } = await runCommandIn(folder, 'init');
  expect([code, err]).toEqual([2, expect.stringContaining(reason)]);
  expect(readdirSync(folder)).toEqual(before);
});

test('without --skill and without a terminal, init adds no skill, and says how to', async () => {
  const folder = project(naming('vitest'));
  const { out } = await runCommandIn(folder, 'init');
  expect(out).toContain('npx backlot init --skill');
  expect(readdirSync(folder)).not.toContain('.agents');
});

test('init adds five lines to AGENTS.md once, and says so', async () => {
  const folder = project({ ...naming('vitest'), 'AGENTS.md': '# Shop\n' });
  const read = () => readFileSync(join(folder, 'AGENTS.md'), 'utf8');
  expect((await runCommandIn(folder, 'init', '--dry-run')).out).toContain('would change AGENTS.md');
  expect(read()).toBe('# Shop\n');
  expect((await runCommandIn(folder, 'init')).out).toMatch(/changed AGENTS\.md +five lines/);
  const changed = read();
  expect(changed).toMatch(/^# Shop\n\n<!-- backlot -->\n(- .+\n){5}<!-- \/backlot -->\n$/);
  expect((await runCommandIn(folder, 'init')).out).toContain('it names Backlot already');
  expect(read()).toBe(changed);
});

test('init changes no file to which AGENTS.md links', async () => {
  const folder = project({ ...naming('vitest'), 'CLAUDE.md': '# Shop\n' });
  symlinkSync('CLAUDE.md', join(folder, 'AGENTS.md'));
  const { code, out } = await runCommandIn(folder, 'init');
  expect(code).toBe(0);
  expect(out).not.toContain('AGENTS.md');
  expect(readFileSync(join(folder, 'CLAUDE.md'), 'utf8')).toBe('# Shop\n');
});

test('init reads a package.json with a byte order mark, and keeps it', async () => {
  const folder = project({ 'package.json': `\uFEFF${naming('vitest')['package.json']}` });
  expect((await runCommandIn(folder, 'init')).code).toBe(0);
  const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
  expect(manifest).toMatch(/^\uFEFF\{/);
  expect(manifest).toContain('"mock": "backlot"');
});

test.each(['vitest', 'jest', '@playwright/test'])(
  'beside an API of its own, init writes a test for %s that speaks of its first list',
  async (runner) => {
    const folder = project({ ...naming(runner), 'backlot.config.mjs': todoConfig('') });
    const { out } = await runCommandIn(folder, 'init', '--dry-run');
    expect(out).toContain("test('GET /api/todos/ returns 200', async (");
    expect(out).not.toMatch(/order|card/);
  },
);

test('beside a definition that cannot be read, init writes the test of the store', async () => {
  const folder = project({ ...naming(), 'backlot.config.mjs': 'export default {};' });
  const { out } = await runCommandIn(folder, 'init');
  expect(out).toContain('a test: a declined card leaves the order unpaid');
});
