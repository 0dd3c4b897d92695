/** @module-tag chromium */
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { openContext, useBrowser } from '../support/browser.ts';
import { dropFile } from '../support/drop.ts';
import { caller, openOffice } from '../support/office.ts';
import { startServer } from '../support/command.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { harText, Recording } from '../support/recording.ts';

useBrowser();

/** Records four requests to a server that has another total of order 1 and another user 3. */
async function changedRecording(): Promise<Recording> {
  const office = openOffice();
  const recorded = new Recording();
  const send = recorded.recorded(async (url, init) => {
    const response = await office.fetch(url, init);
    const { status, headers } = response;
    const body = await response.text();
    const text = url.endsWith('/users/3')
      ? body.replace(/"enabled":true/, '"enabled":false')
      : body.replace(/"total":(\d+)(?=,"confirmed")/, '"total":9$1');
    return new Response(text, { status, headers });
  });
  const call = caller(send, 'https://shop.test');
  await call('GET /api/channels/1');
  await call('GET /api/orders/1/?access_token=very-secret');
  await call('POST /api/orders/1/items/', { variant: 7, quantity: 0 });
  await call('GET /api/users/3');
  return recorded;
}

async function openPage(url: string): Promise<Page> {
  const page = await (await openContext()).newPage();
  await page.goto(url);
  return page;
}

/** Waits until a page shows a trace of four requests, two of which are marked, and what differs in the first one of them. */
async function expectMarked(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Replay of https://shop.test' }).waitFor();
  await page.getByText(/2 differences in 4 requests to 4 endpoints of https:/).waitFor();
  const detail = page.locator('.detail');
  await detail.getByText('Different.').waitFor();
  await detail.getByText(/^body\.total: recorded 918981, expected 18981/).waitFor();
  await detail.getByText(/Recorded response: 200 \{"id":1/).waitFor();
  await detail.getByRole('tab', { name: 'Response 200', selected: true }).waitFor();
  await page.getByLabel('Filter the history').fill('is:different');
  await expect.poll(() => page.locator('[data-entry]').count()).toBe(2);
  expect(await page.content()).not.toContain('very-secret');
}

// The page of traces is a part of the built package.
test('a recording that is dropped on the studio is replayed, and the two requests that differ are marked', async () => {
  const { url, call } = await startProgram();
  const page = await openPage(`${url}/_backlot/#/activity`);
  await page.getByLabel('Filter the history').waitFor();
  await dropFile(page, 'shop.har', JSON.parse((await changedRecording()).text()));
  await expectMarked(page);
  expect((await call('GET /_backlot/journal')).body).toMatchObject({ entries: [] });
});

test('replay writes a trace that marks the requests that differ', async () => {
  const file = (await changedRecording()).save();
  const trace = join(dirname(file), 'shop.html');
  const { code, out } = await runProgram('replay', file, '--trace', trace);
  expect([code, out]).toEqual([1, expect.stringContaining('2 differences in 4 requests')]);
  await expectMarked(await openPage(pathToFileURL(trace).href));
});

test.each([
  [
    'of another API',
    [{ url: 'https://other.test/songs' }],
    'The recording has 1 entries, and none is a request of this API below /api.',
  ],
  ['without entries', undefined, 'The recording is no HTTP archive (HAR): it has no log.entries.'],
])(
  'a recording %s is refused in one line, and the studio stays as it is',
  async (_, requests, message) => {
    const { url } = await startServer();
    const page = await openPage(`${url}/_backlot/#/activity`);
    await page.getByLabel('Filter the history').waitFor();
    const response = { status: 200, headers: [], content: { size: 0 } };
    const entries = requests?.map((request) => ({
      startedDateTime: '2031-05-04T10:00:00Z',
      request: { method: 'GET', headers: [], ...request },
      response,
    }));
    await dropFile(page, 'other.har', { log: { version: '1.2', entries } });
    await page.getByText(message).waitFor();
    expect(page.url()).toContain('/_backlot/#/activity');
  },
);

test('the file of a recording on a server cannot be named by one that is dropped', async () => {
  const { call } = await startServer();
  const [entry] = (await changedRecording()).entries;
  const attached = {
    ...entry,
    response: { ...(entry?.['response'] as object), content: { _file: 'package.json' } },
  };
  const { status, body } = await call('POST /_backlot/trace', JSON.parse(harText([attached])));
  expect([status, JSON.stringify(body).includes('Different')]).toEqual([200, false]);
  expect(body).not.toHaveProperty('test.error');
});
