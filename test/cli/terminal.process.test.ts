import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { runProgram, startProgram } from '../support/program.ts';
import { built, openSuite, suite } from '../support/suite.ts';

const main = inject('program');
const ofSuite = { cwd: openSuite().shop, env: { BACKLOT_VITEST: built() } };

const folder = mkdtempSync(join(tmpdir(), 'backlot-terminal-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A scenario that takes a second or longer to open. */
const slow = join(folder, 'slow.json');
const generate = { orders: 3000 };
const fields = { name: 'slow', description: 'Many orders', extends: 'default', generate };
writeFileSync(slow, JSON.stringify(fields));

/** Runs the program in a pseudo-terminal that states a width (default: 0 columns), until `isDone` accepts what it printed. */
async function record(
  args: readonly string[],
  isDone: (printed: string) => boolean = () => false,
  columns = 0,
  { cwd, env }: Pick<SpawnOptions, 'cwd' | 'env'> = {},
): Promise<string> {
  const command = [process.execPath, main, ...args];
  const quoted = command.map((word) => `'${word}'`).join(' ');
  // The `script` of macOS has other flags than that of Linux.
  const isMac = process.platform === 'darwin';
  const line = `stty cols ${columns}; exec ${quoted}`;
  const flags = isMac ? ['-q', '/dev/null', 'sh', '-c', line] : ['-qefc', line, '/dev/null'];
  const child = spawn('script', flags, {
    stdio: ['ignore', 'pipe', 'ignore'],
    cwd,
    env: { ...process.env, NO_COLOR: '1', TERM: 'xterm', ...env },
  });
  const closed = once(child, 'close');
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    if (isDone(printed)) child.kill();
  });
  await closed;
  return printed;
}

/** Returns the lines that a terminal shows after this output. */
function screenOf(printed: string): string[] {
  return printed.split('\r\n').map((line) => {
    const written = line.split('\r').at(-1) ?? '';
    return written.replace('\u001B[K', '');
  });
}

test('a terminal shows how far a slow scenario is, and erases it at the end', async () => {
  const args = ['--quiet', '--port', '0', '--scenario', slow];
  const printed = await record(args, (text) => text.includes('Ctrl+C'));
  const shares = [...printed.matchAll(/\rbacklot: opening the scenario .*?: (\d+) %/g)].map(
    ([, share]) => Number(share),
  );
  expect(shares.length).toBeGreaterThan(3);
  expect(shares).toEqual(shares.toSorted((one, other) => one - other));
  expect(shares.at(-1)).toBeGreaterThan(50);
  const screen = screenOf(printed).join('\n');
  expect(screen).not.toContain('opening');
  expect(screen).toContain('scenario  slow: Many orders');
});

test('a terminal that states a width of 0 columns has 80', async () => {
  const help = screenOf(await record(['--help']));
  const widths = help.map((line) => line.length);
  expect(Math.max(...widths)).toBeLessThanOrEqual(80);
  expect(Math.max(...widths)).toBeGreaterThan(70);
  const list = screenOf(await record(['scenarios']));
  expect(Math.max(...list.map((line) => line.length))).toBeGreaterThan(70);
});

test('output that is not a terminal shows no progress', { tags: 'long' }, async () => {
  const { warned, printed } = await startProgram('--quiet', '--scenario', slow);
  expect(warned()).toBe('');
  expect(printed()).not.toContain('opening');
});

test('a terminal shows how many requests a check of a server has sent, and erases it at the end', async () => {
  const { url } = await startProgram();
  const printed = await record(['verify', '--against', url, '--only', 'users,orders']);
  const counts = [...printed.matchAll(/\rbacklot: checking 127\.0\.0\.1:\d+: (\d+) requests/g)];
  expect(counts.length).toBeGreaterThan(1);
  expect(screenOf(printed).join('\n')).not.toContain('checking');
});

test('a terminal shows below each finding how many mutants were tried', async () => {
  const printed = await record(['mutate', ...suite], undefined, 100, ofSuite);
  const counts = [...printed.matchAll(/✗ [^\r]*\r\n\rbacklot: mutate: (\d+) mutants?/g)];
  expect(counts.length).toBeGreaterThan(3);
  expect(Number(counts.at(-1)?.[1])).toBeGreaterThan(Number(counts[0]?.[1]));
  expect(screenOf(printed).join('\n')).not.toContain('backlot: mutate');
});

test('the findings of mutate and chaos, their tables and what each column is fit a terminal of 50 columns', async () => {
  const args = [...suite, '-t', 'total'];
  const [mutants = '', cells = ''] = await Promise.all(
    ['mutate', 'chaos'].map((name) => record([name, ...args], undefined, 50, ofSuite)),
  );
  for (const printed of [mutants, cells])
    expect(
      screenOf(printed).filter((line) => line.length > 50 && !/npx |expect\(|\.html$/.test(line)),
    ).toEqual([]);
  expect(screenOf(mutants).join('\n')).toMatch(/ 200\n +\d+ +\d+ +\d+ +\d+ %\n/);
  const grid = screenOf(cells).join('\n');
  expect(grid).toContain(' 1 2 3 4 5 6 7\n');
  expect(grid).toContain('\n7 slow: the response');
});

test('an explanation fits a terminal of 50 columns, and has the same words', async () => {
  const { url } = await startProgram('--scenario', 'sale');
  const printed = await record(['explain', url, 'order', '1'], undefined, 50);
  const lines = printed.split('\r\n');
  expect(lines.filter((line) => line.length > 50)).toEqual([]);
  const { out } = await runProgram('explain', url, 'order', '1');
  expect(out.split('\n').some((line) => line.length > 50)).toBe(true);
  expect(printed.split(/\s+/)).toEqual(out.split(/\s+/));
});

test.each(['contract checkouts', 'states', 'states order.awaiting-payment'])(
  '%s fits a terminal of 50 columns, but for commands and URLs',
  async (words) => {
    const lines = screenOf(await record(words.split(' '), undefined, 50));
    expect(lines.length).toBeGreaterThan(5);
    const wide = lines.filter((line) => line.length > 50);
    expect(wide.filter((line) => !/^ +(curl |https?:)/.test(line))).toEqual([]);
  },
);
