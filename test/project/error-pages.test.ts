import { expect, test } from 'vitest';
import { createBackOffice } from '../../src/index.ts';
import { code, read, sources } from '../support/tree.ts';

const file = 'src/engine/lib/error-page.ts';

test('each address in a message of an error is a heading of the page of errors, and each heading is in a message', () => {
  const headings = Array.from(read('docs/errors.md').matchAll(/^## (.+)$/gm), ([, one]) => one!);
  const names = Array.from(code(file).matchAll(/^ {2}\| '(.+)'/gm), ([, one]) => one!);
  expect(names).toEqual(headings.toSorted((one, other) => one.localeCompare(other)));
  const others = sources('src').filter((path) => path !== file);
  const text = others.map((path) => read(path)).join('');
  expect(names.filter((name) => !text.includes(`'${name}'`))).toEqual([]);
});

test('a message ends with the address of its page, which is the site', () => {
  const { homepage } = JSON.parse(read('package.json'));
  const [, owner, name] = /github\.com\/([^/]+)\/([^/#]+)/.exec(homepage) ?? [];
  expect(() => createBackOffice({ scenario: 'sael' as 'sale' })).toThrow(
    new RegExp(
      `^Scenario 'sael' not found\\..* See https://${owner}\\.github\\.io/${name}/errors#unknown-scenario$`,
    ),
  );
  expect(() => createBackOffice({ scenario: { name: 'x' } as never })).toThrow(
    /errors#invalid-scenario$/,
  );
});
