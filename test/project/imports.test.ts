import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { code, files, importsOf, read, sources } from '../support/tree.ts';

/**
 * What each part of `src/` may import beside itself. A part is a folder, or a file that lies in `src/`.
 *
 * The table is the picture of the house: problem ← models ← checkout ← resources; problem ← rest ← resources;
 * resources ← back-office ← adapters ← cli. No row names a part that names it back.
 */
const mayImport: Record<string, string[]> = {
  problem: [],
  recent: [],
  models: ['problem', 'recent'],
  checkout: ['problem', 'models'],
  rest: ['problem', 'recent'],
  resources: ['problem', 'recent', 'models', 'checkout', 'rest'],
  scenario: ['problem', 'models', 'checkout', 'rest', 'resources', 'fixtures', 'scenarios'],
  dashboard: [],
  control: ['problem', 'recent', 'models', 'checkout', 'rest', 'scenario', 'dashboard'],
  'back-office': [
    'problem',
    'models',
    'checkout',
    'rest',
    'resources',
    'scenario',
    'control',
    'dashboard',
  ],
  sessions: ['problem', 'resources', 'rest', 'scenario', 'control', 'dashboard', 'back-office'],
  contract: ['resources', 'rest', 'scenario'],
  given: ['problem', 'models', 'checkout', 'scenario', 'control', 'contract', 'back-office'],
  adapters: [
    'problem',
    'rest',
    'scenario',
    'control',
    'back-office',
    'sessions',
    'contract',
    'given',
  ],
  index: [
    'problem',
    'models',
    'checkout',
    'rest',
    'resources',
    'scenario',
    'control',
    'back-office',
    'sessions',
    'adapters',
  ],
  cli: [
    'problem',
    'models',
    'rest',
    'scenario',
    'control',
    'back-office',
    'sessions',
    'adapters',
    'index',
  ],
};

/** Where a package may be imported, by its path under `src/`; the others of package.json may be anywhere. */
const onlyIn: [packages: RegExp, places: RegExp][] = [
  [/^@msw\/data$/, /^models\//],
  [/^(msw|@mswjs\/.+)$/, /^adapters\//],
  [/^vitest$/, /^adapters\/vitest/],
  [/^express$/, /^adapters\/express/],
  [/^(body-parser|cors|host-validation-middleware|proxy-addr)$/, /^adapters\/http/],
  [/^node:/, /^(cli\/|adapters\/(express|http|node)\b)/],
];

interface Import {
  /** Under `src/`: `rest/page.ts`. */
  file: string;
  /** As it stands there: `../problem.ts`, `node:fs`, `@msw/data`. */
  target: string;
}

const { dependencies, peerDependencies } = JSON.parse(read('package.json'));
const imports = sources('src').flatMap((path) =>
  importsOf(path).map((target): Import => ({ file: path.slice('src/'.length), target })),
);

test('every part of the sources has its row in the table of what it may import', () => {
  const parts = new Set(files('src').map((path) => partOf(path.slice('src/'.length))));
  parts.delete('json-modules');
  expect([...parts].filter((part) => !(part in mayImport))).toEqual([]);
});

test('the table of what may be imported has no way back', () => {
  const reach = (part: string, seen: string[]): string[] =>
    (mayImport[part] ?? []).flatMap((next) =>
      seen.includes(next) ? [[...seen, next].join(' → ')] : reach(next, [...seen, next]),
    );
  expect(Object.keys(mayImport).flatMap((part) => reach(part, [part]))).toEqual([]);
});

test.each(Object.keys(mayImport))('%s imports from the parts below it only', (part) => {
  const allowed = [part, ...(mayImport[part] ?? [])];
  const strangers = imports
    .filter(({ file, target }) => partOf(file) === part && target.startsWith('.'))
    .filter(({ file, target }) => !allowed.includes(partOf(resolve(file, target))));
  expect(strangers).toEqual([]);
});

test.each(onlyIn)('%s is imported in %s only', (packages, places) => {
  const strangers = imports.filter(
    ({ file, target }) => packages.test(packageOf(target)) && !places.test(file),
  );
  expect(strangers).toEqual([]);
});

test('the sources import no package that their users would not have', () => {
  const known = Object.keys({ ...dependencies, ...peerDependencies });
  const strangers = imports
    .filter(({ target }) => !target.startsWith('.') && !target.startsWith('node:'))
    .filter(({ target }) => !known.includes(packageOf(target)));
  expect(strangers).toEqual([]);
});

test('rest names no resource', () => {
  const named = sources('src/resources').flatMap((path) => [
    ...code(path).matchAll(/\/api\/([\w-]+)/g),
  ]);
  const resources = new Set(named.map(([, name]) => name));
  const words = sources('src/rest').flatMap((path) =>
    (code(path).match(/[\w-]+/g) ?? []).map((word) => ({ path, word })),
  );
  expect(words.filter(({ word }) => resources.has(word))).toEqual([]);
});

test('checkout sees no request and no answer', () => {
  const sees = sources('src/checkout').filter((path) =>
    /\b(Request|Response|Headers)\b/.test(code(path)),
  );
  expect(sees).toEqual([]);
});

/** `rest/page.ts` → `rest`; `problem.ts` → `problem`; `../fixtures/users.json` → `fixtures`. */
function partOf(path: string): string {
  const [first = ''] = path.replace(/^(\.\.\/)+/, '').split('/');
  return first.replace(/(\.d)?\.ts$/, '');
}

function resolve(file: string, target: string): string {
  return posix.join(posix.dirname(file), target);
}

/** `msw/node` → `msw`; `@msw/data/x` → `@msw/data`; `node:fs` stays. */
function packageOf(target: string): string {
  const parts = target.split('/');
  return target.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? target);
}
