import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { isFinding } from '../../src/suite/mutate-text.ts';
import { mutateSuite } from '../../src/suite/mutate.ts';
import type { ReadField } from '../../src/suite/trials.ts';
import { WatchedRun } from '../../src/suite/watched-run.ts';
import { temporaryFolder } from '../support/suite.ts';
import { linesOf, options, read, runner, testRuns } from './fake-suite.ts';

/** A package that requests a token by itself, and one that reads what it is given. */
async function installedPackage(): Promise<{
  tokenOf(request: () => Promise<unknown>): Promise<string>;
  first(value: unknown, key: string): unknown;
}> {
  const folder = join(temporaryFolder(), 'node_modules/auth');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'index.mjs');
  writeFileSync(
    file,
    `export async function tokenOf(request) { const body = await request(); return body.token; }
export const first = (value, key) => value[key];`,
  );
  return import(/* @vite-ignore */ pathToFileURL(file).href);
}

/** Returns what reads of a response, by field. */
async function readBy(work: (body: () => Promise<unknown>) => Promise<unknown>) {
  const run = new WatchedRun();
  const text = JSON.stringify({ token: 'a', name: 'Ada' });
  run.bodies.inPlaceOf(text, '/token', { subject: 'POST /token 200' });
  const body = run.bodies.observe(text, JSON.parse(text));
  await work(async () => body);
  const fields: readonly ReadField[] = run.bodies.subjects[0]?.fields ?? [];
  return Object.fromEntries(fields.map(({ path, library }) => [path.join('.'), library]));
}

test('a field that a package reads of what it has requested itself is known as such', async () => {
  const { tokenOf } = await installedPackage();
  expect(await readBy((body) => tokenOf(body))).toEqual({ token: 'auth' });
});

test('a field that other code reads, too, or hands to a package, is none of the package alone', async () => {
  const { tokenOf, first } = await installedPackage();
  const both = async (body: () => Promise<unknown>): Promise<void> => {
    await tokenOf(body);
    expect(((await body()) as { token: string }).token).toBe('a');
    first(await body(), 'name');
  };
  expect(await readBy(both)).toEqual({ token: undefined, name: undefined });
});

test('without a page, a survivor that only a library reads is counted and no finding', async () => {
  const subject = read('POST /token 200', { expires_at: '2026-01-01', name: 'Ada' });
  const fields = subject.fields.map((one) =>
    one.path[0] === 'expires_at' ? { ...one, library: '@auth/app' } : one,
  );
  const attempt = { ms: 1, error: undefined, texts: undefined };
  const ran = testRuns({ attempts: [attempt, attempt], subjects: [{ ...subject, fields }] });
  const suite = runner([ran], [], ({ id }) => /everything wrong$| name: /.test(id));
  const report = await mutateSuite(suite, options);
  expect(report.results.filter(isFinding)).toEqual([]);
  expect(linesOf(report)).toContain('Read only by @auth/app: 3 mutants.');
});

test('without a page, an item that is in a list twice is counted and no finding', async () => {
  const attempt = { ms: 1, error: undefined, texts: undefined };
  const subjects = [read('GET /flags 200', { flags: [{ id: 1 }] })];
  const ran = testRuns({ attempts: [attempt, attempt], subjects });
  const suite = runner([ran], [], ({ id }) => !id.endsWith('one item more'));
  const report = await mutateSuite(suite, options);
  expect(report.results.filter(isFinding)).toEqual([]);
  expect(linesOf(report)).toContain('Without a page, an item twice: 1 mutant.');
});
