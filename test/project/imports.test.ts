import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { bundled } from '../../tools/bundled.ts';
import { code, files, importsOf, read, sources } from '../support/tree.ts';

/** The rooms of `src/`, lowest first. A room may import only from the rooms before it. */
const order = [
  'lib',
  'store',
  'rest',
  'faults',
  'definition',
  'models',
  'checkout',
  'resources',
  'client',
  'contract',
  'journal',
  'scenario',
  'extend',
  'coverage',
  'office',
  'given',
  'studio',
  'dashboard',
  'control',
  'shop',
  'define',
  'sessions',
  'workflows',
  'adapters',
  'drift',
  'index',
  'cli',
];

/** Rooms that may import fewer than all rooms before them. */
const onlyFrom: Readonly<Record<string, readonly string[]>> = {
  rest: ['lib'],
  faults: ['lib', 'store', 'rest'],
  definition: ['lib', 'store', 'rest', 'faults'],
  checkout: ['lib', 'store', 'definition', 'models'],
  journal: ['lib', 'rest', 'faults', 'definition'],
  scenario: ['lib', 'store', 'rest', 'faults', 'definition'],
  extend: ['lib', 'store', 'rest', 'faults', 'definition', 'scenario'],
  define: ['lib', 'extend', 'shop'],
  studio: ['lib', 'definition', 'journal'],
  dashboard: [],
  client: ['lib', 'rest', 'resources'],
  contract: ['lib', 'rest', 'resources', 'shop', 'client'],
  given: [
    'lib',
    'store',
    'definition',
    'extend',
    'models',
    'checkout',
    'resources',
    'client',
    'contract',
    'shop',
  ],
  workflows: ['lib', 'rest', 'client', 'contract', 'sessions'],
};

/** Data that only the scenarios of the shop read. */
const data = ['fixtures', 'scenarios'];

function mayImport(part: string): readonly string[] {
  const below = onlyFrom[part] ?? order.slice(0, order.indexOf(part));
  return [part, ...below, ...(part === 'shop' ? data : [])];
}

/** Packages that may be imported only in these paths under `src/`. */
const onlyIn: [packages: RegExp, places: RegExp][] = [
  [/^(@msw\/data|mutative|rettime)$/, /^store\/msw-data\//],
  [/^(msw|@mswjs\/.+)$/, /^adapters\//],
  [/^vitest$/, /^adapters\/vitest/],
  [/^@playwright\/test$/, /^adapters\/playwright/],
  [/^express$/, /^adapters\/express/],
  [/^commander$/, /^cli\//],
  [/^idb-keyval$/, /^adapters\/browser/],
  [/^(body-parser|proxy-addr)$/, /^adapters\/http/],
  [/^redis$/, /^adapters\/stores/],
  [/^node:/, /^(cli\/|adapters\/(express|http|node|stores|(vitest|playwright)-coverage)\b)/],
];

interface Import {
  /** Under `src/`: `rest/page.ts`. */
  file: string;
  /** As written: `../problem.ts`, `node:fs`, `@msw/data`. */
  target: string;
}

const { dependencies, peerDependencies } = JSON.parse(read('package.json'));
const imports = sources('src').flatMap((path) =>
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

/** What only one shop has. The rooms of the engine are to serve any API. */
const rooms = ['models', 'checkout', 'resources', 'shop', 'given'];

/** How often each room of the engine imports one of the shop still. These numbers may only shrink. */
const bound: Readonly<Record<string, number>> = {
  coverage: 8,
  office: 1,
  // Doors that open a shop for whoever names no API.
  adapters: 39,
  drift: 8,
  cli: 7,
};

test('the engine imports the shop in no further place', () => {
  const entries = ['index', 'client', 'contract', 'define'];
  const engine = order.filter((part) => !rooms.includes(part) && !entries.includes(part));
  const found = imports.filter(
    ({ file, target }) =>
      engine.includes(partOf(file)) &&
      target.startsWith('.') &&
      rooms.includes(partOf(resolve(file, target))),
  );
  const counts = Map.groupBy(found, ({ file }) => partOf(file));
  expect(Object.fromEntries([...counts].map(([part, own]) => [part, own.length]))).toEqual(bound);
});

test('no files import each other in a circle, not even their types', () => {
  const left = new Map<string, string[]>();
  for (const { file, target } of imports) {
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
  const known = [...Object.keys({ ...dependencies, ...peerDependencies }), ...bundled];
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

test('checkout imports no request and no response', () => {
  const sees = sources('src/checkout').filter((path) =>
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

/** `rest/page.ts` → `rest`; `contract.ts` → `contract`; `../fixtures/users.json` → `fixtures`. */
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
