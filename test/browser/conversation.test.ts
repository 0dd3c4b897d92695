import { afterEach, expect, test } from 'vitest';
import { commands } from 'vitest/browser';
import { createBackOffice, startWorker, type WorkerBackOffice } from '../../src/mounts/browser.ts';
import { converse, type Turn } from '../support/conversation.ts';

declare module 'vitest/browser' {
  interface BrowserCommands {
    converseInNode(): Promise<Turn[]>;
  }
}

let office: WorkerBackOffice | undefined;

afterEach(() => office?.stop());

test('the service worker returns the responses of the core in Node.js byte for byte', async () => {
  office = await startWorker();
  expect(await converse(fetch, '')).toEqual(await commands.converseInNode());
});

test('the core responds in a page as in Node.js', async () => {
  const alone = createBackOffice();
  const turns = await converse((url, init) => alone.fetch(url, init));
  expect(turns).toEqual(await commands.converseInNode());
});
