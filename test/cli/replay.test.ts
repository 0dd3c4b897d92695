import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { createBackOffice, saveTrace, type Trace } from '../../src/mounts/node.ts';
import { card } from '../support/checkout-steps.ts';
import { caller } from '../support/office.ts';
import { runCommand } from '../support/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'backlot-replay-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the trace of a purchase, with a password and a card. */
async function purchase(): Promise<Trace> {
  const office = createBackOffice({ scenario: 'awaiting-purchase', history: true });
  const call = caller((url, init) => office.fetch(url, init));
  await call('PATCH /api/users/1', { plainPassword: 'correct horse' });
  await call('PUT /api/checkouts/1', card);
  office.clock.advance('P1D');
  await office.db.users.update((users) => users.where({ id: 1 }), {
    data: (user) => void (user.first_name = 'Ada'),
  });
  await call('GET /api/orders/1');
  return office.history.trace();
}

async function saved(trace: Trace): Promise<string> {
  const file = join(folder, `${crypto.randomUUID()}.json`);
  await saveTrace(trace, file);
  return file;
}

test('replay does again what a trace has, and says that it comes out the same', async () => {
  const { code, out } = await runCommand('replay', await saved(await purchase()));
  expect(out).toBe(
    'Repeated 4 of 5 entries, all with the same outcome. Taken from the trace: #4 outside of requests.\n',
  );
  expect(code).toBe(0);
});

test.each([
  ['--scenario', 'sale'],
  ['--settings', 'settings.json'],
  ['--api-path', '/rest'],
  ['--reporter', 'json'],
  ['--baseline', 'known.json'],
])('replay refuses %s for a trace', async (flag, value) => {
  const file = await saved(await purchase());
  const { code, out, err } = await runCommand('replay', file, flag, value);
  expect(err).toBe(`backlot: ${flag} is for recordings (HAR), and ${file} is none.\n`);
  expect([code, out]).toEqual([2, '']);
});

test('replay prints what comes out differently, and its exit code is 1', async () => {
  const trace = await purchase();
  const entries = trace.entries.map((entry) =>
    entry.exchange?.step === 'purchase'
      ? {
          ...entry,
          exchange: {
            ...entry.exchange,
            answer: { ...entry.exchange.answer, status: 402, body: { code: 402, id: 1 } },
          },
        }
      : entry,
  );
  const { code, out } = await runCommand('replay', await saved({ ...trace, entries }));
  expect(out).toMatch(
    /^#2 PUT \/api\/checkouts\/1\n {2}status: 402 → 200\n {2}code: 402 → \(none\)\n/,
  );
  expect(out).toMatch(/Repeated 4 of 5 entries, 1 with another outcome\./);
  expect(code).toBe(1);
});

test.each([
  [[], 'replay requires one recording, a folder of them, or a trace: replay shop.har.'],
  [['a.har', 'b.har'], 'replay requires one recording, a folder of them, or a trace'],
  [['none.html'], 'File none.html not found.'],
  [['package.json'], 'package.json is neither a recording (HAR) nor a trace.'],
  [['README.md'], 'README.md is neither a recording (HAR) nor a trace.'],
  [['src'], 'The folder src has no recording: no file ends with .har or .har.gz.'],
])('replay %j ends with exit code 2', async (words, message) => {
  const { code, err } = await runCommand('replay', ...words);
  expect(err).toContain(message);
  expect(code).toBe(2);
});

test.each([
  ['a path', { api_path: 5 }, 'api_path: Invalid input: expected string'],
  ['a number', { lost: -1 }, 'lost: Too small'],
])('replay says what is wrong with %s of a trace', async (_, damage, message) => {
  const file = await saved({ ...(await purchase()), ...damage } as Trace);
  const { code, err } = await runCommand('replay', file);
  expect(err).toContain(`This trace is not valid:\n  ${message}`);
  expect(code).toBe(2);
});

test('replay refuses a trace from which an entry was cut', async () => {
  const trace = await purchase();
  const file = await saved({ ...trace, entries: trace.entries.toSpliced(1, 1) });
  const { code, err } = await runCommand('replay', file);
  expect(err).toContain('  entries.1.id: expected 2, in its exchange too: entries are numbered');
  expect(code).toBe(2);
});

test.each([
  ['is larger than 64 MiB', Buffer.alloc(200_000_000, ' ')],
  ['is nested more than 200 levels deep', Buffer.from('['.repeat(5000) + ']'.repeat(5000))],
])('replay refuses the page of a trace that %s', async (reason, content) => {
  const file = join(folder, `${crypto.randomUUID()}.html`);
  const packed = deflateRawSync(content).toString('base64');
  writeFileSync(file, `<script type="text/plain" id="trace">${packed}</script>`);
  const { code, err } = await runCommand('replay', file);
  expect([code, err]).toEqual([2, expect.stringContaining(reason)]);
});
