import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listScenarios } from '../../src/cli/scenarios.ts';
import { builtInScenario, builtInScenarios } from '../../src/shop/store-api.ts';
import { runCommand, startServer } from '../support/command.ts';

/** Creates a folder with these files for one test. */
function folder(files: Readonly<Record<string, unknown>>): string {
  const path = mkdtempSync(join(tmpdir(), 'backlot-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(join(path, name), text);
  }
  return path;
}

test('the command scenarios lists each scenario with its description', async () => {
  const { code, out } = await runCommand('scenarios');
  expect(code).toBe(0);
  const lines = out.trim().split('\n');
  expect(lines.map((line) => line.split(/\s+/, 1)[0])).toEqual(builtInScenarios);
  for (const [at, name] of builtInScenarios.entries()) {
    expect(lines[at]).toContain(builtInScenario(name).description);
  }
});

test('the list of scenarios is wrapped to the width of the terminal', () => {
  const [one, wide] = [listScenarios(), listScenarios(60)];
  expect(wide.split(/\s+/)).toEqual(one.split(/\s+/));
  expect(Math.max(...wide.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(60);
  expect(one.split('\n')).toHaveLength(builtInScenarios.length);
});

test('a scenario file can name record files and extend another scenario file', async () => {
  const path = folder({
    'mine.json': { name: 'mine', description: 'Mine', extends: './below.json', seed: 7 },
    'below.json': {
      name: 'below',
      description: 'Below',
      extends: 'empty',
      data: { promotions: 'promotions.json', coupons: [] },
    },
    'promotions.json': [
      {
        id: 5,
        name: 'Only one',
        description: 'Only one',
        priority: 1,
        exclusive: false,
        coupon_based: false,
        used: 0,
        actions: [],
        rules: [],
      },
    ],
  });
  const { call, printed } = await startServer('--scenario', join(path, 'mine.json'), '--quiet');
  expect(printed()).toContain('mine: Mine');
  const { _embedded } = (await call('GET /api/promotions/')).body;
  expect(_embedded.items).toEqual([expect.objectContaining({ id: 5, name: 'Only one' })]);
});

test('an invalid scenario file is rejected with every issue, its path and the expected value', async () => {
  const path = folder({
    'bad.json': {
      name: 'bad',
      descripton: 'Bad',
      seed: 'one',
      settings: { auth: 'oauth1', cartLifetime: '3 hours' },
      data: { users: 'users.json', spoons: [] },
      script: [
        { on: 'buy', outcome: 'declined' },
        { on: 'purchase', match: { card: '42' }, outcome: 'declined' },
      ],
      faults: [{ status: 99 }, { status: 503, match: { path: '/api/oders' } }],
      generate: { orders: 1e9 },
    },
    'users.json': [{ id: 1 }],
  });
  const { code, err } = await runCommand('--scenario', join(path, 'bad.json'));
  expect(code).toBe(2);
  for (const line of [
    /^ {2}description: .*expected string/m,
    /^ {2}seed: .*expected number/m,
    /^ {2}settings\.auth: .*expected one of "none"\|"oauth2"/m,
    /^ {2}settings\.cartLifetime: expected an ISO 8601 duration such as PT3H/m,
    /^ {2}data\.users\.0\.email: .*expected string.* \(in users\.json\)/m,
    /^ {2}data: .*"spoons"; known: .*users/m,
    /^ {2}script\.0\.on: Expected one of create, item/m,
    /^ {2}script\.1\.match\.card: Must be the digits of a card number/m,
    /^ {2}faults\.0\.status: .*>=200/m,
    /^ {2}faults\.1\.match\.path: No endpoint has this path; the closest is/m,
    /^ {2}generate\.orders: .*<=100000/m,
    /^ {2}\(top\): .*"descripton" \(did you mean "description"\?\); known: .*description/m,
  ]) {
    expect(err).toMatch(line);
  }
});

test.each([
  [{ 'it.json': '{' }, /Cannot read .*it\.json/],
  [{ 'it.json': { name: 'it', description: 'It', extends: 'lost' } }, /Scenario 'lost' not found/],
  [
    { 'it.json': { name: 'it', description: 'It', extends: 'it.json' } },
    /in a cycle: it\.json → it\.json/,
  ],
  [
    { 'it.json': { name: 'it', description: 'It', data: { users: 'no.json' } } },
    /Cannot read .*no\.json/,
  ],
])('a scenario file with a broken reference is rejected: %j', async (files, message) => {
  const { code, err } = await runCommand('--scenario', join(folder(files), 'it.json'));
  expect(code).toBe(2);
  expect(err).toMatch(message);
});

test('an unknown scenario is rejected with the names of the built-in ones', async () => {
  const { code, err } = await runCommand('--scenario', 'lost');
  expect(code).toBe(2);
  expect(err).toContain("Scenario 'lost' not found. Pass a file or one of default, empty");
});

test('--watch requires the file of a scenario or of a definition', async () => {
  const { code, err } = await runCommand('--watch');
  expect(code).toBe(2);
  expect(err).toContain('--watch requires the file of a scenario or of a definition');
});
