import { expect, test } from 'vitest';
import { createBackOffice } from '../../src/index.ts';
import { code, read, sources } from '../support/tree.ts';

const headings = Array.from(read('docs/errors.md').matchAll(/^## (.+)$/gm), ([, one]) => one);

/** The names of pages that the code passes to `withPage`. */
const used = sources('src').flatMap((path) =>
  Array.from(
    code(path).matchAll(/withPage\(\s*['`]([\w-]+|invalid-\$\{page\})['`]/g),
    ([, one]) => one,
  ),
);

test('each address in a message of an error is a heading of the page of errors', () => {
  const names = used.flatMap((name) =>
    name === 'invalid-${page}' ? ['invalid-scenario', 'invalid-definition'] : name,
  );
  expect(new Set(names)).toEqual(new Set(headings));
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
