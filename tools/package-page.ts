import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { build, preview, type InlineConfig } from 'vite';
import * as z from 'zod';
import { contract, UserView, type ContractRow } from '../src/contract.ts';
import { createBackOffice, type MountOptions } from '../src/index.ts';
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
    const url = server.resolvedUrls?.local[0] ?? '';
    await expectTitle(url, await wanted());
    await expectTitle(`${url}?keep`, [200, 201]);
  } finally {
    await server.close();
  }
}

const generated = {
  name: 'generated',
  description: 'A shop with a short history.',
  extends: 'default',
  generate: { orders: 5, users: 0 },
};

/** What a row of the contract says of itself. */
const textsOf = (row: ContractRow) => [row.operationId, row.summary, row.errors, row.example];

const page = `
  import { createBackOffice } from 'backlot';
  import { startWorker } from 'backlot/browser';
  import { contract, UserView } from 'backlot/contract';
  const generated = ${JSON.stringify(generated)};
  const isKept = location.search === '?keep';
  const told = [];
  const keep = async () => {
    const office = await startWorker({ keep: true });
    told.push((await fetch('/api/orders/1')).status);
    const body = new URLSearchParams({ channel: 1, user: 1, currency: 'EUR' });
    told.push((await fetch('/api/orders/', { method: 'POST', body })).status);
    await office.saved();
  };
  const tell = async (response) => told.push(await (await response).text());
  const load = async () => {
    const office = await startWorker({ scenario: 'filled-cart' });
    office.import(office.export());
    await tell(fetch('/api/orders/1'));
    const { email } = await office.db.users.update((users) => users.where({ id: 1 }), {
      data: (user) => void (user.email = 'new@shop.example'),
    });
    told.push(email);
    office.reset(generated);
    await tell(fetch('/api/orders/?page=7'));
    await tell(createBackOffice({ scenario: generated }).fetch('/api/orders/?page=7'));
    told.push(UserView.shape.email.startsWith('x').catch('caught').parse('y'));
    told.push(await UserView.shape.email.safeParseAsync('y'), UserView.safeParse(0).error.flatten());
    told.push(UserView.toJSONSchema().required, contract.map(${textsOf.toString()}));
  };
  try {
    await (isKept ? keep() : load());
    document.title = JSON.stringify(told);
  } catch (error) {
    document.title = String(error);
  }
`;

/** What the page is to be told. */
async function wanted(): Promise<unknown[]> {
  const order = await textOf('filled-cart', '/api/orders/1');
  const orders = await textOf(generated, '/api/orders/?page=7');
  const { required } = z.toJSONSchema(UserView);
  const texts = contract.map(textsOf);
  const parsed = await UserView.shape.email.safeParseAsync('y');
  const issues = z.flattenError(UserView.safeParse(0).error ?? new z.ZodError([]));
  const loaded = [order, 'new@shop.example', orders, orders];
  return [...loaded, 'caught', parsed, issues, required, texts];
}

async function textOf(scenario: MountOptions['scenario'], path: string): Promise<string> {
  return (await createBackOffice({ scenario }).fetch(path)).text();
}

/** Opens a page, which has loaded nothing before. @throws Error if it is told something else */
async function expectTitle(url: string, told: readonly unknown[]): Promise<void> {
  const title = await titleOf(url);
  if (title !== JSON.stringify(told)) throw new Error(`the built page ${url} was told ${title}`);
}

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
