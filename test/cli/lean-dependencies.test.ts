import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Prints the URLs of all modules that the program loads when it is run from sources. */
const script = `
  import module from 'node:module';
  const loaded = [];
  module.registerHooks({
    load(url, context, next) {
      loaded.push(url);
      return next(url, context);
    },
  });
  await import('./src/cli/program.ts');
  console.log(JSON.stringify(loaded));
`;

test('from sources, the program loads only the used parts of es-toolkit, zod and rettime', () => {
  const args = ['--input-type=module', '--eval', script];
  const loaded: string[] = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  const matching = (pattern: RegExp): string[] => loaded.filter((url) => pattern.test(url));
  expect(matching(/es-toolkit\/.*compat\/index\.m?js$/)).toEqual([]);
  expect(matching(/^data:.*es-toolkit/)).toHaveLength(1);
  expect(matching(/\/zod\/v4\/locales\/(?!en\.js)/)).toEqual([]);
  expect(matching(/^data:text\/javascript,$/)).toHaveLength(1);
  expect(matching(/\/rettime\/build\/index\.mjs$/)).toHaveLength(1);
  expect(matching(/\/src\/cli\/message-event\.ts$/)).toHaveLength(1);
});
