import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
} from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { chromiumLaunch } from './chromium.ts';

/** Host names of tests that resolve to this machine, as in DNS rebinding. */
const resolves = '--host-resolver-rules=MAP *.example 127.0.0.1, MAP shop.test 127.0.0.1';

async function launch(): Promise<Browser> {
  const options = await chromiumLaunch();
  return chromium.launch({ ...options, args: [...options.args, resolves] });
}

/** The Chromium that the files of a worker share. It starts when the first page is opened, and again if it has crashed. */
// Vitest reads the names of other fixtures in these braces.
// oxlint-disable-next-line no-empty-pattern
const inWorker = test.extend('started', { scope: 'worker' }, ({}, { onCleanup }) => {
  let starting: Promise<Browser> | undefined;
  onCleanup(async () => (await starting)?.close());
  return async () => {
    const running = await starting;
    return running?.isConnected() === true ? running : (starting = launch());
  };
});

let browser: (() => Promise<Browser>) | undefined;

/** Has the tests of a file open their pages in the Chromium of their worker. */
export function useBrowser(): void {
  inWorker.beforeAll(({ started }) => {
    browser = started;
  });
}

/** Opens the browser of a visitor, until the test ends. */
export async function openContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  if (browser === undefined) throw new Error('Call useBrowser() in the file of the test');
  const context = await (await browser()).newContext(options);
  onTestFinished(async ({ task }) => {
    await context.close();
    expect(task.tags, 'Tests with this tag are skipped where no Chromium is').toContain('chromium');
  });
  // It only ends what hangs, and says at which action: each awaits its element.
  context.setDefaultTimeout(30_000);
  return context;
}
