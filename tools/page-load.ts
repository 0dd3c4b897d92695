import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium, type Browser } from 'playwright';
import { build, preview, type InlineConfig, type Rolldown } from 'vite';
import { chromiumLaunch } from '../test/support/chromium.ts';
import { workerScript } from '../test/support/worker-script.ts';
import { listParts } from './bundle-size.ts';
import type { Size } from './package-sizes.ts';

/** A page that MSW answers by itself. What it loads is no part of the other sizes. */
const mswAlone = `import { http, HttpResponse } from 'msw';
import { setupWorker } from 'msw/browser';
await setupWorker(http.get('/api/orders/1', () => HttpResponse.json({}))).start({ quiet: true });`;

/** What a page with a shop runs before its first request, and how many bytes more than MSW alone, compressed, it may load. */
const pages = [
  {
    what: 'page by its first response',
    source: `import { startWorker } from 'backlot/browser';
await startWorker();`,
    limit: 225_000,
  },
  {
    what: 'page with added fields by its first response',
    source: `import { extendApi, field, storeApi } from 'backlot/define';
import { startWorker } from 'backlot/browser';
const fields = { users: { points: field.integer({ default: 0 }) } };
await startWorker({ api: extendApi(storeApi, { fields }) });`,
    limit: 245_000,
  },
];

/**
 * Builds pages with Vite as their users do, opens them in Chromium, and measures what they load until their first request is
 * answered.
 *
 * @param user the folder of a project that has the package installed
 */
export async function loadedSizes(user: string): Promise<Size[]> {
  const browser = await chromium.launch(await chromiumLaunch());
  try {
    const [msw, ...shops] = await Promise.all(
      [mswAlone, ...pages.map(({ source }) => source)].map((source, at) =>
        load(browser, join(user, `page-${at}`), source),
      ),
    );
    return shops.map(({ bytes, parts }, at) => ({
      what: `${pages[at]!.what}, beside MSW, compressed`,
      value: bytes - msw!.bytes,
      limit: pages[at]!.limit,
      unit: 'kB',
      parts,
    }));
  } finally {
    await browser.close();
  }
}

interface Loaded {
  readonly bytes: number;
  /** The libraries and folders of its scripts, to print. */
  readonly parts: string;
}

async function load(browser: Browser, root: string, source: string): Promise<Loaded> {
  mkdirSync(root);
  writeFileSync(join(root, 'index.html'), '<script type="module" src="/main.js"></script>');
  writeFileSync(
    join(root, 'main.js'),
    `${source}\nawait fetch('/api/orders/1');\ndocument.title = 'answered';\n`,
  );
  const config: InlineConfig = {
    configFile: false,
    root,
    logLevel: 'silent',
    plugins: [workerScript('msw', '/', ['mockServiceWorker.js'])],
    build: { target: 'esnext' },
    preview: { host: '127.0.0.1', port: 0 },
  };
  const { output } = (await build(config)) as Rolldown.RolldownOutput;
  const server = await preview(config);
  const page = await browser.newPage();
  const scripts = new Set<string>();
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname.slice(1);
    if (path.startsWith('assets/')) scripts.add(path);
  });
  await page.goto(server.resolvedUrls?.local[0] ?? '');
  await page.waitForFunction(() => document.title === 'answered');
  await Promise.all([page.close(), server.close()]);
  const sizes = [...scripts].map(
    (path) => gzipSync(readFileSync(join(root, 'dist', path)), { level: 9 }).length,
  );
  const modules = output.flatMap((file) =>
    file.type === 'chunk' && scripts.has(file.fileName) ? Object.entries(file.modules) : [],
  );
  return {
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    parts: `Its parts, not minified:\n${listParts(modules.map(([path, { renderedLength }]) => [path, renderedLength]))}`,
  };
}
