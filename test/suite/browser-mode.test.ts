/** @module-tag chromium */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { chromiumLaunch } from '../support/chromium.ts';
import { runProgramWith, type Ended } from '../support/program.ts';
import { findingsIn } from '../support/suite.ts';
import { root } from '../support/tree.ts';

let folder: string;
let variables: Record<string, string>;

/** Copies the project to where it has the built package among its own. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'backlot-browser-mode-'));
  cpSync(join(root, 'test/projects/vitest-browser'), folder, { recursive: true });
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@vitest'), { recursive: true });
  symlinkSync(join(inject('program'), '../../..'), join(modules, 'backlot'));
  for (const name of ['vitest', 'msw', 'playwright', '@vitest/browser-playwright'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  cpSync(
    join(root, 'node_modules/msw/lib/mockServiceWorker.js'),
    join(folder, 'public/mockServiceWorker.js'),
  );
  const { executablePath, env } = await chromiumLaunch();
  const chromium = executablePath === undefined ? {} : { CHROMIUM_PATH: executablePath };
  variables = { ...env, ...chromium };
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: string[]): Promise<Ended> {
  return runProgramWith(variables, folder, ...args, '--', 'vitest', 'run', 'suite/order');
}

test('mutate finds what tests in browser mode do not notice', { tags: 'long' }, async () => {
  const ended = await run('mutate');
  expect(ended.code, ended.err).toBe(1);
  expect(findingsIn(ended)).toEqual([
    expect.stringMatching(/^✗ GET \/api\/orders\/:order_id\/ 200 total: \d/),
  ]);
});

test('chaos judges what a page in browser mode shows', { tags: 'long' }, async () => {
  const before = readdirSync(folder);
  const ended = await run('chaos');
  expect(ended.code, ended.err).toBe(1);
  // It says when a status is not that of success, and waits for ever for a response that does not come or cannot be read.
  expect(findingsIn(ended)).toEqual([
    expect.stringMatching(/^✗ GET \/api\/orders\/:order_id\/ under drop, malformed, cut off: /),
  ]);
  expect(readdirSync(folder)).toEqual([...before, '.backlot'].toSorted());
});
