import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { code, files, importsOf, read, sources } from '../support/tree.ts';
import { doors, rooms } from './rooms.ts';

/** Packages that may be imported only in these paths under `src/`. */
const onlyIn: [packages: RegExp, places: RegExp][] = [
  [/^(@msw\/data|mutative|rettime)$/, /^engine\/store\/msw-data\//],
  [/^(msw|@mswjs\/.+)$/, /^(mounts\/|page\.ts)/],
  [/^vitest$/, /^(mounts|suite)\/vitest/],
  [/^@playwright\/test$/, /^(mounts|suite)\/playwright/],
  [/^(commander|js-yaml)$/, /^cli\//],
  [/^@cfworker\/json-schema$/, /^suite\//],
  [/^idb-keyval$/, /^mounts\/page\//],
  [/^proxy-addr$/, /^mounts\/server\//],
  [/^redis$/, /^mounts\/stores/],
  [
    /^node:/,
    /^(cli\/|verify\/(proxy|pull|replay)\/|mounts\/(express|server|node|stores|(vitest|playwright)\/coverage)\b|suite\/((jest|vitest|playwright|node)\/|node-contexts\.))/,
  ],
];

interface Import {
  /** Under `src/`: `rest/page.ts`. */
  file: string;
  /** As written: `../problem.ts`, `node:fs`, `@msw/data`. */
  target: string;
}

const { dependencies, peerDependencies, inlinedDependencies } = JSON.parse(read('package.json'));
const imports = files('src')
  .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('/vite.config.ts'))
  .flatMap((path) =>
    importsOf(path).map((target): Import => ({ file: path.slice('src/'.length), target })),
  );

/** The imports of other files, each with the path of its target under `src/`. */
const resolved = imports
  .filter(({ target }) => target.startsWith('.'))
  .map(({ file, target }) => ({ file, target: posix.join(posix.dirname(file), target) }));

test('every room of the sources has a list of the rooms that it may import', () => {
  const found = new Set(files('src').map((path) => roomOf(path.slice('src/'.length))));
  found.delete('json-modules');
  expect([...found].toSorted()).toEqual(Object.keys(rooms).toSorted());
});

test.each(Object.entries(rooms))('%s imports from the rooms of its list', (room, listed) => {
  const imported = resolved
    .filter(({ file, target }) => roomOf(file) === room && roomOf(target) !== room)
    .map(({ target }) => roomOf(target));
  expect([...new Set(imported)].toSorted()).toEqual(listed.toSorted());
});

test('a room imports only rooms below it', () => {
  const order = Object.keys(rooms);
  const up = Object.entries(rooms).flatMap(([room, listed]) =>
    listed
      .filter((one) => order.indexOf(one) > order.indexOf(room))
      .map((one) => `${room} → ${one}`),
  );
  expect(up).toEqual([]);
});

test.each(Object.entries(doors))('%s imports the modules of its door', (folder, door) => {
  const imported = resolved
    .filter(({ file, target }) => file.startsWith(`${folder}/`) && target.startsWith('engine/'))
    .map(({ target }) => target);
  const listed = Object.entries(door).flatMap(([place, names]) =>
    names.map((name) => `engine/${place}/${name}.ts`),
  );
  expect([...new Set(imported)].toSorted()).toEqual(listed.toSorted());
});

test('the engine imports nothing but the engine', () => {
  const listed = Object.entries(rooms).filter(([room]) => room.startsWith('engine/'));
  const others = listed.flatMap(([, allowed]) =>
    allowed.filter((one) => !listed.some(([room]) => room === one)),
  );
  expect(others).toEqual([]);
});

test('no files import each other in a circle, not even their types', () => {
  const byFile = Map.groupBy(resolved, ({ file }) => file);
  const left = new Map(
    Array.from(byFile, ([file, all]) => [file, all.map(({ target }) => target)]),
  );
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
    .filter(({ target }) => !/^(\.|#|node:)/.test(target))
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
 * `engine/rest/page.ts` → `engine/rest`; `shop/parts.ts` → `shop`; `contract.ts` → `contract`;
 * `../fixtures/users.json` → `fixtures`.
 */
function roomOf(path: string): string {
  const names = path.replace(/^(\.\.\/)+/, '').split('/');
  const room = names.slice(0, 2).join('/');
  if (room in rooms || /^(engine|verify)\//.test(room)) return room;
  return (names[0] ?? '').replace(/(\.d)?\.ts$/, '');
}

/** `msw/node` → `msw`; `@msw/data/x` → `@msw/data`; `node:fs` stays. */
function packageOf(target: string): string {
  const parts = target.split('/');
  return target.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? target);
}
