/** @module-tag chromium */
import { once } from 'node:events';
import { mkdtempSync, openAsBlob, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright';
import { afterAll, expect, inject, onTestFinished, test } from 'vitest';
import type * as Node from '../../src/mounts/node.ts';
import { traceIn } from '../../src/engine/lib/trace-file.ts';
import { openContext, useBrowser } from '../support/browser.ts';
import { dropText } from '../support/drop.ts';
import { read } from '../support/tree.ts';

/** The built package has the page that it saves. */
const built: typeof Node = await import(
  pathToFileURL(join(inject('program'), '../../node.js')).href
);
const folder = mkdtempSync(join(tmpdir(), 'backlot-trace-'));

useBrowser();

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hostile = '</script><script>document.title = "hacked"</script><!-- trace -->';

/** Serves a back office and its studio. Returns the URL. */
async function serve(office: Node.NodeBackOffice): Promise<string> {
  const answer = async ({ url = '', method = 'GET' }: IncomingMessage, to: ServerResponse) => {
    const response = await office.fetch(url, { method });
    to.writeHead(response.status, Object.fromEntries(response.headers));
    to.end(Buffer.from(await response.arrayBuffer()));
  };
  const server = createServer((request, response) => void answer(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A shop in which a cart was made and filled, a request refused and a day passed. */
async function openShop(): Promise<Node.NodeBackOffice> {
  const office = built.createBackOffice({ history: true, scenario: 'sale' });
  const send = (line: string, body?: object) => {
    const [method = '', path = ''] = line.split(' ');
    const headers = { 'content-type': 'application/json' };
    return office.fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  };
  await send('POST /api/orders/1/items/', { variant: 7, quantity: 1, unitPrice: 1250 });
  await send('POST /api/orders/1/items/', { variant: 7, quantity: 0, unitPrice: 1250 });
  await send('PATCH /api/users/1', { firstName: hostile });
  office.clock.advance('P1D');
  return office;
}

async function saved(office: Node.NodeBackOffice, name = 'backlot-trace.html'): Promise<string> {
  const file = join(folder, name);
  await built.saveTrace(office.history.trace(), file);
  return file;
}

interface Opened {
  readonly page: Page;
  /** What the page has loaded, and what it has complained of. */
  readonly loaded: readonly string[];
  readonly complaints: readonly string[];
}

/** Opens a file from the disk in a browser without a network. */
async function openFile(file: string, hash = ''): Promise<Opened> {
  const page = await (await openContext({ offline: true })).newPage();
  const [loaded, complaints]: [string[], string[]] = [[], []];
  page.on('request', (request) => void loaded.push(request.url()));
  page.on('console', (message) => void complaints.push(message.text()));
  page.on('pageerror', (error) => void complaints.push(error.message));
  await page.goto(`${pathToFileURL(file).href}${hash}`);
  return { page, loaded, complaints };
}

test('a trace opens from a disk, offline and under its policy, and goes back and forth', async () => {
  const office = await openShop();
  const file = await saved(office);
  const { page, loaded, complaints } = await openFile(file);
  await page.getByText(/· 3 changes$/).waitFor();
  await page.getByText('/api/users/1').first().waitFor();
  await page.getByText('+1 day').first().waitFor();
  await page.getByRole('button', { name: /^Undo/ }).click();
  await page.getByText('3 changes, 1 undone').waitFor();
  await page.getByRole('button', { name: /^Redo/ }).first().click();
  await page.getByText(/· 3 changes$/).waitFor();
  expect(loaded.filter((url) => !url.startsWith('blob:'))).toEqual([pathToFileURL(file).href]);
  expect(complaints).toEqual([]);
  expect(await page.title()).toBe('Backlot trace');
});

test('a trace says why an order has its total', async () => {
  const { page, complaints } = await openFile(await saved(await openShop()), '#/orders/1');
  await page.getByRole('region', { name: 'Money' }).getByText('Spring sale').first().waitFor();
  expect(complaints).toEqual([]);
});

test('the trace of a failed test opens on its name, its error and the last request that was refused, and a reload keeps the place', async () => {
  const office = await openShop();
  const file = join(folder, 'failed.html');
  const failed = { name: 'cart.test.ts > a cart takes seven', error: 'expected 400 to be 201' };
  await built.saveTrace({ ...office.history.trace(), test: failed }, file);
  const { page, complaints } = await openFile(file);
  await page.getByRole('heading', { name: failed.name }).waitFor();
  await page.getByText(failed.error).waitFor();
  await page.getByText('Quantity must be at least 1.').first().waitFor();
  await page.getByText(/^[\d-]+[ T][\d:+]+ · Backlot \d/).waitFor();
  expect(await page.title()).toBe(`${failed.name} · Backlot trace`);
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await page.getByRole('heading', { name: 'Orders' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Orders' }).waitFor();
  expect(complaints).toEqual([]);
});

test('the page of a trace has the size that its documentation says', async () => {
  const { length } = readFileSync(await saved(await openShop()));
  const [, size = ''] = /one HTML file of ([\d.]+) MB/.exec(read('docs/trace.md')) ?? [];
  expect(Number(size)).toBe(Math.ceil(length / 1e5) / 10);
});

test('the file of a trace has at most 700 kB, compressed, and a policy without unsafe scripts', async () => {
  const text = readFileSync(await saved(await openShop()), 'utf8');
  expect(gzipSync(text, { level: 9 }).length).toBeLessThan(700_000);
  const [, policy = ''] = /http-equiv="content-security-policy" content="([^"]*)"/.exec(text) ?? [];
  expect(policy).toMatch(/^default-src 'none'; .*script-src 'sha256-/);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
});

test('a trace has no secrets: neither in requests and responses nor in records', async () => {
  const secrets = ['tops3cret-word', '4242424242424242', '987', 'secret_demo_client'];
  const office = built.createBackOffice({ history: true, scenario: 'awaiting-purchase' });
  const send = (method: string, path: string, body: object, token?: string) =>
    office.fetch(path, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: token }) },
      body: JSON.stringify(body),
    });
  await send('PATCH', '/api/users/1', { plainPassword: secrets[0] });
  const response = await send('POST', '/oauth/v2/token', {
    client_id: 'demo_client',
    client_secret: secrets[3],
    grant_type: 'client_credentials',
  });
  const { access_token: token } = (await response.json()) as { readonly access_token: string };
  await send(
    'PUT',
    '/api/checkouts/1',
    {
      type: 'visa',
      cardholderName: 'Ada Novak',
      number: secrets[1],
      securityCode: secrets[2],
      expiryMonth: 12,
      expiryYear: 2030,
    },
    `Bearer ${token}`,
  );
  const hashes = office
    .export()
    .tables['users']?.rows.filter(({ id }) => id === 1)
    .map(({ password }) => String(password));
  const trace = JSON.stringify(await traceIn(await openAsBlob(await saved(office))));
  expect(trace).toContain('/oauth/v2/token');
  for (const secret of [...secrets, token, ...(hashes ?? [])])
    expect(trace.replaceAll(/"(ms|received)":[\d.]+/g, '')).not.toContain(secret);
});

test('the page of traces opens a file that is chosen, and says why it cannot', async () => {
  const office = await openShop();
  const viewer = join(folder, 'viewer.html');
  writeFileSync(viewer, await (await office.fetch('/_backlot/trace.html')).text());
  const { page } = await openFile(viewer);
  await page.getByText('Drop a trace here').waitFor();
  await page.getByLabel('Trace').setInputFiles({
    name: 'shop.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"format":"backlot-trace"}'),
  });
  await page.getByText('This trace has version undefined; 2 can be read.').waitFor();
  await page.getByLabel('Trace').setInputFiles(await saved(office));
  await page.getByText(/· 3 changes$/).waitFor();
});

test('the studio saves the history by two clicks, and shows a trace that is dropped on it', async () => {
  const page = await (await openContext()).newPage();
  const office = await openShop();
  await page.goto(`${await serve(office)}/_backlot/#/activity`);
  await page.getByRole('button', { name: /^Share/ }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^File/ }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('backlot-trace.html');
  const file = readFileSync(await download.path(), 'utf8');
  expect(await traceIn(new Blob([file]))).toEqual(office.history.trace());
  const other = built.createBackOffice({ history: true });
  await page.goto(`${await serve(other)}/_backlot/#/activity`);
  await page.getByLabel('Filter the history').waitFor();
  await dropText(page, 'backlot-trace.html', file);
  await page.getByText(/· 3 changes$/).waitFor();
  expect(page.url()).toMatch(/\/_backlot\/trace\.html(#|$)/);
  expect(other.history.entries()).toEqual([]);
});

test('the trace of another API cannot be a page, and is saved as JSON', async () => {
  const office = await openShop();
  const trace = { ...office.history.trace(), api: 'store, extended' };
  await expect(built.saveTrace(trace, join(folder, 'own.html'))).rejects.toThrow(
    'The trace cannot be a page: it is of the API store, extended, and its page would have that of the store only. Save it as .json.',
  );
  await built.saveTrace(trace, join(folder, 'a/b/own.json'));
  expect(await traceIn(await openAsBlob(join(folder, 'a/b/own.json')))).toEqual(trace);
});
