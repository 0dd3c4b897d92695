import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { flagName } from '../../src/cli/values.ts';
import { documentedEndpoints } from '../../src/engine/sessions/openapi.ts';
import { createApiRouter } from '../../src/engine/rest/router.ts';
import type { EndpointRow } from '../../src/engine/rest/endpoint.ts';
import { createBackOffice } from '../../src/mounts/node.ts';
import { storeApi } from '../../src/shop/store-api.ts';
import { documents, textOf } from '../../tools/documents.ts';
import { code, sources } from '../support/tree.ts';

const texts = [...documents, '.github/CONTRIBUTING.md'];

/** Members that only a back office of a page has, or one whose records have UUIDs. */
const ofSome: readonly string[] = ['openStudio', 'saved', 'idOf', 'uuidOf'];

/** Flags and variables of other programs. */
const ofOthers: Readonly<Record<string, string>> = {
  '--merge-reports': 'vitest',
  '--experimental-vm-modules': 'Node.js',
  '--allow-read': 'Deno',
  '--server': 'Redocly',
  '--input': 'Redocly',
  NODE_OPTIONS: 'Node.js',
};

/** Whether a name is of the resource that the definitions of a page add. */
function isDefined(document: string, name: string): boolean {
  return /wishlist/i.test(name) && textOf(document).includes('wishlists: resource(');
}

/** Returns what a pattern finds in a document, without duplicates. */
function namesIn(document: string, pattern: RegExp): string[] {
  return [...new Set(Array.from(textOf(document).matchAll(pattern), ([, name = '']) => name))];
}

/** Whether a value, or one inside it, has a member: `history.export`. */
function has(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  if (value === undefined || value === null || !(name in Object(value))) return false;
  return has(Reflect.get(Object(value), name), rest);
}

const office = createBackOffice({ history: true });

test.each(texts)('each member of office and given that %s names exists', (document) => {
  const members = [
    ...namesIn(document, /\boffice\.([a-z]\w*(?:\.[a-z]\w*)*)/gi),
    ...namesIn(document, /(?<![.\w])(given\.\w+)/g),
  ];
  const known = (name: string): boolean =>
    has(office, name.split('.')) || ofSome.includes(name) || isDefined(document, name);
  expect(members.filter((name) => !known(name))).toEqual([]);
});

const router = createApiRouter(documentedEndpoints(storeApi) as unknown as EndpointRow<never>[]);
const proxy = code('src/verify/proxy/control.ts');

test.each(texts)('each control endpoint that %s names exists', (document) => {
  const paths = namesIn(document, /(\/_backlot\/?[\w/:<>.-]*)(?![\w/:<>.*-])/g);
  const known = (path: string): boolean =>
    has(router.find(path), ['route']) || proxy.includes(`'${path}'`) || isDefined(document, path);
  expect(paths.filter((path) => !known(path))).toEqual([]);
});

const flags = Object.values(commands).flatMap(({ flags: own }) => Object.keys(own).map(flagName));

test.each(texts)('each flag that %s names exists', (document) => {
  const named = namesIn(document, /(?<![\w-])(--[a-z][a-z-]*)/g);
  const known = [...flags, '--help', ...Object.keys(ofOthers)];
  expect(named.filter((flag) => !known.includes(flag))).toEqual([]);
});

const programs = ['src', 'test', 'tools'].flatMap((folder) => sources(folder).map(code));

test.each(texts)('a program reads each variable that %s sets', (document) => {
  const reading = programs.filter((text) => text.includes('process.env')).join('\n');
  const named = namesIn(document, /(?<![\w$])([A-Z][A-Z_]+)=\S/g);
  const known = (name: string): boolean =>
    name in ofOthers || new RegExp(`\\b${name}\\b`).test(reading);
  expect(named.filter((name) => !known(name))).toEqual([]);
});

test.each(texts)('each option that %s names is one of an interface', (document) => {
  const named = namesIn(document, /\boptions? `(\w+)`/g);
  const declared = programs.join('\n');
  const known = (name: string): boolean => new RegExp(`\\b${name}\\?:`).test(declared);
  expect(named.filter((name) => !known(name))).toEqual([]);
});
