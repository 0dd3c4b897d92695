import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
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

/** Waits until an element shows a text. */
export async function showsText(element: Locator, text: string | RegExp): Promise<void> {
  await expect.poll(() => element.evaluate(textOnceShown, text)).toMatch(text);
}

/**
 * Returns the text that an element shows once it matches, and what it shows after a second if it does not. This runs in the
 * page, which looks at the element when something has changed: nothing is sent meanwhile.
 */
function textOnceShown(element: Node, text: string | RegExp): Promise<string> {
  return new Promise((resolve) => {
    const shown = () => (element as HTMLElement).innerText;
    const end = (): void => {
      observer.disconnect();
      resolve(shown());
    };
    const look = (): void => {
      const isShown = typeof text === 'string' ? shown().includes(text) : text.test(shown());
      // Another element may have taken its place.
      if (isShown || !element.isConnected) end();
    };
    const observer = new MutationObserver(look);
    const all = { subtree: true, childList: true, characterData: true, attributes: true };
    observer.observe(element.getRootNode(), all);
    setTimeout(end, 1000);
    look();
  });
}
