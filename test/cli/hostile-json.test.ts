import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createProxy } from '../../src/verify/proxy/proxy.ts';
import { requestLog } from '../../src/cli/request-log.ts';
import { ExchangeMonitor } from '../../src/verify/drift/exchange-monitor.ts';
import { anyCharacter } from '../support/any-character.ts';
import { runCommand } from '../support/command.ts';
import { raw } from '../support/hostile.ts';
import { listen } from '../support/raw-http.ts';
import { runs } from '../support/runs.ts';
import { ofStore } from '../support/drift.ts';

/** Any JSON, with control characters in texts and names. */
const value = fc.jsonValue({ stringUnit: anyCharacter });

/** Starts a server that responds to every request with the same text. */
async function serveText() {
  const sent = { type: 'application/json', text: '' };
  const url = await listen(
    createServer((_, response) =>
      response.writeHead(200, { 'content-type': sent.type }).end(sent.text),
    ),
  );
  return { url, sent };
}

const oneLine: unknown = expect.stringMatching(/^backlot: .+\n$/);

/** Runs a command line, and returns what it prints as lines. */
async function runQuiet(...words: string[]) {
  const { code, out, err } = await runCommand(...words);
  const text = stripVTControlCharacters(out + err);
  expect(text).not.toMatch(raw);
  expect(text).not.toMatch(/^\s+at .+:\d+:\d+\)?$/m);
  return { code, out, err };
}

test('verify reports any JSON in place of each response, or says in one line why it cannot', async () => {
  const { url, sent } = await serveText();
  await fc.assert(
    fc.asyncProperty(value, async (json) => {
      sent.text = JSON.stringify(json);
      const { code, out, err } = await runQuiet('verify', '--against', url);
      expect([code, out, err]).toEqual(
        code === 1 ? [1, expect.stringMatching(/\S/), ''] : [2, '', oneLine],
      );
    }),
    { numRuns: runs(20) },
  );
});

test.each(['application/json', 'text/event-stream'])(
  'tail says in one line that any JSON as %s is no event of Backlot',
  async (type) => {
    const { url, sent } = await serveText();
    sent.type = type;
    await fc.assert(
      fc.asyncProperty(value, async (json) => {
        const text = JSON.stringify(json);
        sent.text = type === 'application/json' ? text : `id: 1\ndata: ${text}\n\n`;
        const { code, out, err } = await runQuiet('tail', url);
        expect([code, out, err]).toEqual([2, '', oneLine]);
      }),
      { numRuns: runs(20) },
    );
  },
);

test('coverage merge says in one line that any JSON is no report', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-merge-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'report.json');
  await fc.assert(
    fc.asyncProperty(value, async (json) => {
      writeFileSync(file, JSON.stringify(json));
      const { code, out, err } = await runQuiet('coverage', 'merge', file);
      expect([code, out, err]).toEqual([2, '', oneLine]);
    }),
    { numRuns: runs(20) },
  );
});

test('the proxy forwards any JSON as it is, and prints no control characters of it', async () => {
  const { url, sent } = await serveText();
  const lines: string[] = [];
  const options = {
    api: ofStore.api,
    control: true,
    controlToken: undefined,
    allowedHost: [],
    corsOrigin: '*',
  } as const;
  const print = (line: string): void => void lines.push(stripVTControlCharacters(line));
  const to = new URL(url);
  const proxy = createProxy(
    { ...options, to, log: requestLog(print), print },
    new ExchangeMonitor({ ...ofStore, prefix: '' }),
  );
  const front = await listen(proxy);
  await fc.assert(
    fc.asyncProperty(value, async (json) => {
      sent.text = JSON.stringify(json);
      for (const path of ['/api/orders/', '/api/orders/1', '/api/checkouts/1']) {
        const response = await fetch(`${front}${path}`);
        expect([response.status, await response.text()]).toEqual([200, sent.text]);
      }
    }),
    { numRuns: runs(20) },
  );
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.join('\n')).not.toMatch(raw);
});
