import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { code, files, importsOf, read, sources } from '../support/tree.ts';

/** The rooms of the engine, lowest first: each serves any API. */
const engine = [
  'lib',
  'store',
  'rest',
  'faults',
  'definition',
  'journal',
  'scenario',
  'extend',
  'coverage',
  'office',
  'dashboard',
  'control',
  'studio',
  'sessions',
  'workflows',
  'drift',
].map((room) => `engine/${room}`);

/** The definition of the store, lowest first. */
const shop = [
  'shop/models',
  'shop/checkout',
  'shop/resources',
  'client',
  'contract',
  'shop/given',
  'shop/workflows',
  'shop/drift',
  'shop',
  'shop/coverage',
  'shop/studio',
];

/** All rooms of `src/`, lowest first. A room may import only from the rooms before it. */
const order = [...engine, ...shop, 'define', 'mounts', 'index', 'page', 'cli'];

const definitions = ['lib', 'store', 'rest', 'faults', 'definition'].map(
  (room) => `engine/${room}`,
);

/** Rooms that may import fewer than all rooms before them. */
const onlyFrom: Readonly<Record<string, readonly string[]>> = {
  'engine/rest': ['engine/lib'],
  'engine/faults': ['engine/lib', 'engine/store', 'engine/rest'],
  'engine/definition': ['engine/lib', 'engine/store', 'engine/rest', 'engine/faults'],
  'engine/journal': ['engine/lib', 'engine/rest', 'engine/faults', 'engine/definition'],
  'engine/scenario': definitions,
  'engine/extend': [...definitions, 'engine/scenario'],
  'engine/studio': [
    'engine/lib',
    'engine/definition',
    'engine/faults',
    'engine/journal',
    'engine/office',
    'engine/control',
  ],
  'engine/workflows': ['engine/lib', 'engine/rest', 'engine/definition'],
  'engine/drift': [
    ...definitions,
    'engine/extend',
    'engine/journal',
    'engine/office',
    'engine/workflows',
  ],
  'engine/dashboard': ['engine/lib', 'engine/definition'],
  'shop/models': [...definitions, 'engine/extend'],
  'shop/checkout': ['engine/lib', 'engine/store', 'engine/definition', 'shop/models'],
  'shop/given': [
    'engine/lib',
    'engine/store',
    'engine/definition',
    'engine/extend',
    'shop/models',
    'shop/checkout',
    'shop/resources',
    'client',
    'contract',
    'shop',
  ],
  'shop/studio': [
    'engine/lib',
    'engine/definition',
    'engine/journal',
    'engine/control',
    'engine/studio',
    'shop',
  ],
  define: ['engine/lib', 'engine/extend', 'shop'],
  client: ['engine/lib', 'engine/rest', 'shop/resources'],
  contract: ['engine/lib', 'engine/rest', 'shop/resources', 'shop', 'client'],
};

/** Data that only the scenarios of the shop read. */
const data = ['fixtures', 'scenarios'];

function mayImport(part: string): readonly string[] {
  const below = onlyFrom[part] ?? order.slice(0, order.indexOf(part));
  return [part, ...below, ...(part === 'shop' ? data : [])];
}

/** Packages that may be imported only in these paths under `src/`. */
const onlyIn: [packages: RegExp, places: RegExp][] = [
  [/^(@msw\/data|mutative|rettime)$/, /^engine\/store\/msw-data\//],
  [/^(msw|@mswjs\/.+)$/, /^(mounts\/|page\.ts)/],
  [/^vitest$/, /^mounts\/vitest/],
  [/^@playwright\/test$/, /^mounts\/playwright/],
  [/^commander$/, /^cli\//],
  [/^idb-keyval$/, /^mounts\/browser/],
  [/^proxy-addr$/, /^mounts\/http/],
  [/^redis$/, /^mounts\/stores/],
  [/^node:/, /^(cli\/|mounts\/(express|http|node|stores|(vitest|playwright)-coverage)\b)/],
];

interface Import {
  /** Under `src/`: `rest/page.ts`. */
  file: string;
  /** As written: `../problem.ts`, `node:fs`, `@msw/data`. */
  target: string;
}

const { dependencies, peerDependencies, inlinedDependencies } = JSON.parse(read('package.json'));
const imports = files('src')
  .filter((path) => /\.tsx?$/.test(path))
  .flatMap((path) =>
    importsOf(path).map((target): Import => ({ file: path.slice('src/'.length), target })),
  );

test('every room of the sources has a place in the import order', () => {
  const parts = new Set(files('src').map((path) => partOf(path.slice('src/'.length))));
  parts.delete('json-modules');
  expect([...parts].toSorted()).toEqual(order.toSorted());
});

test.each(order)('%s imports only from the rooms before it', (part) => {
  const strangers = imports
    .filter(({ file, target }) => partOf(file) === part && target.startsWith('.'))
    .filter(({ file, target }) => !mayImport(part).includes(partOf(resolve(file, target))));
  expect(strangers).toEqual([]);
});

test('the engine imports nothing of the shop', () => {
  const strangers = imports.filter(
    ({ file, target }) =>
      file.startsWith('engine/') && !resolve(file, target).startsWith('engine/'),
  );
  expect(strangers.filter(({ target }) => target.startsWith('.'))).toEqual([]);
});

test('no files import each other in a circle, not even their types', () => {
  const left = new Map<string, string[]>();
  // A room of the studio that is loaded when it is opened imports what opens it.
  for (const { file, target } of imports.filter((one) => one.file.endsWith('.ts'))) {
    const from = left.get(file) ?? [];
    left.set(file, from);
    if (target.startsWith('.')) from.push(posix.join(posix.dirname(file), target));
  }
  // Files whose imports are all gone cannot be in a circle.
  for (let before = -1; before !== left.size;) {
    before = left.size;
    for (const [file, targets] of left) {
      if (!targets.some((target) => left.has(target))) left.delete(file);
    }
  }
  expect([...left.keys()]).toEqual([]);
});

test.each(onlyIn)('%s is imported only in %s', (packages, places) => {
  const strangers = imports.filter(
    ({ file, target }) => packages.test(packageOf(target)) && !places.test(file),
  );
  expect(strangers).toEqual([]);
});

test('the sources import only packages that users install or that the build bundles', () => {
  const known = [dependencies, peerDependencies, inlinedDependencies].flatMap((list) =>
    Object.keys(list),
  );
  const strangers = imports
    .filter(({ target }) => !target.startsWith('.') && !target.startsWith('node:'))
    .filter(({ target }) => !known.includes(packageOf(target)));
  expect(strangers).toEqual([]);
});

test('rest names no resource', () => {
  const named = sources('src/shop/resources').flatMap((path) => [
    ...code(path).matchAll(/\/api\/([\w-]+)/g),
  ]);
  const resources = new Set(named.map(([, name]) => name));
  const words = sources('src/engine/rest').flatMap((path) =>
    (code(path).match(/[\w-]+/g) ?? []).map((word) => ({ path, word })),
  );
  expect(words.filter(({ word }) => resources.has(word))).toEqual([]);
});

test('checkout imports no request and no response', () => {
  const sees = sources('src/shop/checkout').filter((path) =>
    /\b(Request|Response|Headers)\b/.test(code(path)),
  );
  expect(sees).toEqual([]);
});

test('the generator is imported by its entry file only', () => {
  const folder = 'src/shop/generate/';
  const strangers = sources('src')
    .filter((path) => !path.startsWith(folder))
    .flatMap((path) => importsOf(path).map((target) => ({ path, target })))
    .filter(({ target }) => /\/generate\/(?!generate\.ts$)/.test(target));
  expect(strangers).toEqual([]);
});

/**
 * `engine/rest/page.ts` → `engine/rest`; `shop/scenario.ts` → `shop`; `contract.ts` → `contract`;
 * `../fixtures/users.json` → `fixtures`.
 */
function partOf(path: string): string {
  const names = path.replace(/^(\.\.\/)+/, '').split('/');
  const room = names.slice(0, 2).join('/');
  if (order.includes(room) || names[0] === 'engine') return room;
  return (names[0] ?? '').replace(/(\.d)?\.ts$/, '');
}

function resolve(file: string, target: string): string {
  return posix.join(posix.dirname(file), target);
}

/** `msw/node` → `msw`; `@msw/data/x` → `@msw/data`; `node:fs` stays. */
function packageOf(target: string): string {
  const parts = target.split('/');
  return target.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? target);
}
