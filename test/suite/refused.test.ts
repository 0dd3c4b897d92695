import { expect, test, vi } from 'vitest';
import { run } from '../../src/cli/run.ts';

const suite = ['--', 'vitest', 'run'];

test.each([
  [['mutate'], 'mutate requires the command of your tests: backlot mutate -- vitest run'],
  [['chaos', '--', 'mocha'], `chaos runs the tests of vitest, jest, playwright, not 'mocha'`],
  [['chaos', '--', 'npx', 'jest'], 'Cannot start jest: it is not installed'],
  [['chaos', '--fault', 'rain', ...suite], '--fault must be one of drop, drop after, malformed'],
  [
    ['chaos', '--races', '--fault', 'drop', ...suite],
    '--races and --fault cannot be used together.',
  ],
  [['chaos', '--out', 'grid.pdf', ...suite], '--out must be github, or a name that ends in .html'],
  [['mutate', '--baseline', 'README.md', ...suite], 'Cannot read README.md'],
  [
    ['chaos', '--baseline', './.backlot/chaos.json', ...suite],
    '--baseline must be another file than .backlot/chaos.json',
  ],
  [['mutate', '--budget', 'soon', ...suite], '--budget must be a duration such as 60s'],
  [['mutate', '--openapi', 'none.json', ...suite], 'Cannot read none.json: ENOENT'],
  [['mocks', '--graphql', 'none.graphql', ...suite], 'Cannot read none.graphql: ENOENT'],
  [['mocks', '--graphql', 'LICENSE', ...suite], 'Cannot read LICENSE: Syntax Error: Unexpected'],
  [['mocks', '--graphql', 'package.json', ...suite], 'Cannot read package.json: '],
  [
    ['mocks', '--graphql', 'a.graphql', '--openapi', 'b.json', ...suite],
    '--graphql and --openapi cannot be used together.',
  ],
  [
    ['mocks', '--graphql', 'test/projects/suite/openapi.yaml', '--', 'playwright', 'test'],
    'Cannot read test/projects/suite/openapi.yaml: Syntax Error',
  ],
  [
    ['mutate', '--openapi', 'README.md', ...suite],
    'Cannot read README.md: it is neither JSON nor YAML: can not read a block mapping entry',
  ],
  [
    ['mutate', '--openapi', 'package.json', ...suite],
    'Cannot read package.json: it has no paths, as an OpenAPI document has.',
  ],
])('%j is refused in one line', async (words, text) => {
  using printed = vi.spyOn(console, 'error').mockReturnValue();
  expect(await run(words)).toBe(2);
  expect(printed.mock.calls).toEqual([[expect.stringContaining(text)]]);
});
