/** @module-tag chromium */
import { createServer } from 'node:http';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replayRecording } from '../../src/verify/replay/replay.ts';
import { storeApi } from '../../src/define.ts';
import { openContext, useBrowser } from '../support/browser.ts';
import '../support/parts.ts';
import { startServer } from '../support/command.ts';
import { listen } from '../support/raw-http.ts';
import { savedFile } from '../support/recording.ts';

const api = storeApi;

useBrowser();

test.each(['embed', 'attach'] as const)(
  'what Chromium does is replayed from the recording of Playwright with content: %s',
  async (content) => {
    const site = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<h1>A page</h1>');
    });
    const origin = await listen(site);
    const { url } = await startServer('--cors-origin', origin);
    const path = savedFile('shop.har', '');
    const context = await openContext({ recordHar: { path, content } });
    const page = await context.newPage();
    await page.goto(origin);
    await page.evaluate(async (base) => {
      const send = (method: string, to: string, body?: object): Promise<Response> =>
        fetch(`${base}/api/${to}`, {
          method,
          headers: { 'content-type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
      await Promise.all([send('GET', 'orders/'), send('GET', 'users/3')]);
      const opened = await send('POST', 'orders/', { channel: 1, user: 1, currency: 'EUR' });
      const { id } = (await opened.json()) as { id: number };
      await send('POST', `orders/${id}/items/`, { variant: 1, quantity: 2 });
      await send('GET', `orders/${id}/`);
      const left = new AbortController();
      const aborted = fetch(`${base}/api/orders/2/`, { signal: left.signal }).catch(
        () => undefined,
      );
      left.abort();
      await aborted;
      const socket = new WebSocket(`${base.replace('http', 'ws')}/live`);
      await new Promise((resolve) => {
        socket.addEventListener('error', resolve);
      });
    }, url);
    await context.close();
    const { findings, requests } = await replayRecording(path, { api });
    expect(findings).toEqual([]);
    expect(requests).toBeGreaterThanOrEqual(5);
    expect(requests).toBeLessThanOrEqual(6);
    const har = readFileSync(path, 'utf8');
    const wrong = join(path, '../wrong.har');
    writeFileSync(wrong, har.replaceAll(/"status":\s*201/g, '"status": 200'));
    expect((await replayRecording(wrong, { api })).findings.map(({ at }) => at)).toContain(
      'status',
    );
  },
);
