import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { build, preview, type InlineConfig } from 'vite';
import { createBackOffice } from '../src/index.ts';
import { chromiumLaunch } from '../test/support/chromium.ts';
import type { Run } from './run.ts';

/**
 * Builds a page in a project that has the package and MSW installed, with the worker script where MSW's own command puts
 * it, opens it in Chromium and compares what it is answered with what the sources answer.
 */
export async function usePage(folder: string, run: Run): Promise<void> {
  writeFileSync(join(folder, 'index.html'), '<script type="module" src="/page.js"></script>');
  writeFileSync(join(folder, 'page.js'), page);
  await run('node', ['node_modules/msw/cli/index.js', 'init', 'public', '--no-save'], folder);
  const config: InlineConfig = {
    configFile: false,
    root: folder,
    logLevel: 'error',
    preview: { host: '127.0.0.1', port: 0 },
  };
  await build(config);
  const server = await preview(config);
  try {
    const answered = await titleOf(server.resolvedUrls?.local[0] ?? '');
    const wanted = await createBackOffice({ scenario: 'filled-cart' }).fetch('/api/orders/1');
    if (answered !== (await wanted.text())) throw new Error(`a built page was told ${answered}`);
  } finally {
    await server.close();
  }
}

const page = `
  import { startWorker } from 'backlot/browser';
  try {
    await startWorker({ scenario: 'filled-cart' });
    document.title = await (await fetch('/api/orders/1')).text();
  } catch (error) {
    document.title = String(error);
  }
`;

/** The title that a page gives itself. */
async function titleOf(url: string): Promise<string> {
  const browser = await chromium.launch(await chromiumLaunch());
  try {
    const tab = await browser.newPage();
    await tab.goto(url);
    await tab.waitForFunction(() => document.title !== '');
    return await tab.title();
  } finally {
    await browser.close();
  }
}
